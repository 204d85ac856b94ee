import {
  byteLength,
  forbidden,
  goJson,
  invalid,
  isJsonObject,
  required,
  tooLong,
  type FieldError,
  type JsonValue,
} from '@flotilla/kube';
import type { WriteContext } from '../../kind.ts';
import { validateDriverName } from '../storage/driver-name.ts';
import { validateItems } from './device-names.ts';
import type { DeviceToleration } from './device-taint.ts';

export interface ResourceClaimSpec {
  readonly devices?: DeviceClaim;
}

export interface DeviceClaim {
  requests?: readonly DeviceRequest[] | null;
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly ClaimConfiguration[];
}

/** One exact request, or the first of several that can be satisfied. */
export interface DeviceRequest {
  readonly name?: string;
  readonly exactly?: ExactRequest;
  readonly firstAvailable?: readonly SubRequest[];
}

export interface ExactRequest {
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  allocationMode?: string;
  count?: number | bigint;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: { readonly requests?: Readonly<Record<string, string>> };
}

export interface SubRequest extends ExactRequest {
  readonly name?: string;
}

export interface DeviceConstraint {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

export interface ClaimConfiguration extends DeviceConfiguration {
  readonly requests?: readonly string[];
}

/** An empty list of requests is not stored. */
export function dropEmptyRequests({ devices }: ResourceClaimSpec): void {
  if (devices?.requests?.length === 0) devices.requests = null;
}

export function setClaimDefaults({ devices }: ResourceClaimSpec): void {
  for (const { exactly, firstAvailable = [] } of devices?.requests ?? []) {
    if (exactly !== undefined) setRequestDefaults(exactly);
    firstAvailable.forEach(setRequestDefaults);
  }
}

function setRequestDefaults(request: ExactRequest): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
  for (const toleration of request.tolerations ?? []) toleration.operator ||= 'Equal';
}

export interface DeviceSelector {
  readonly cel?: { readonly expression?: string };
}

const maxSelectors = 32;
const maxExpressionBytes = 10 * 1024;

const celLiterals = 'NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER';
const noExpression = `ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', ${celLiterals}}`;

export function validateSelectors(
  selectors: readonly DeviceSelector[] = [],
  path: string,
  context: SelectorContext,
): FieldError[] {
  return validateItems(selectors, maxSelectors, (selector, field) => validateSelector(selector, field, context), path);
}

export type SelectorContext = Pick<WriteContext, 'checkDeviceSelector'>;

function validateSelector(
  { cel }: DeviceSelector,
  path: string,
  { checkDeviceSelector }: SelectorContext,
): FieldError[] {
  if (cel === undefined) return [required(`${path}.cel`)];
  const { expression = '' } = cel;
  const field = `${path}.cel.expression`;
  if (expression === '') return [invalid(field, expression, `compilation failed: ${noExpression}`)];
  if (byteLength(expression) > maxExpressionBytes) return [tooLong(field, maxExpressionBytes)];
  const fault = checkDeviceSelector?.(expression);
  if (fault === undefined) return [];
  return [fault.kind === 'invalid' ? invalid(field, expression, fault.detail) : forbidden(field, fault.detail)];
}

/** Settings that only the driver interprets. */
export interface DeviceConfiguration {
  readonly opaque?: { readonly driver?: string; readonly parameters?: JsonValue };
}

const maxParameterBytes = 10 * 1024;

export function validateConfiguration({ opaque }: DeviceConfiguration, path: string): FieldError[] {
  if (opaque === undefined) return [required(`${path}.opaque`)];
  return [
    ...validateDriverName(opaque.driver ?? '', `${path}.opaque.driver`),
    ...validateParameters(opaque.parameters, `${path}.opaque.parameters`),
  ];
}

function validateParameters(parameters: JsonValue | undefined, field: string): FieldError[] {
  if (parameters === undefined || parameters === null) return [required(field)];
  if (byteLength(goJson(parameters)) > maxParameterBytes) return [tooLong(field, maxParameterBytes)];
  return isJsonObject(parameters) ? [] : [invalid(field, '<value omitted>', 'must be a valid JSON object')];
}
