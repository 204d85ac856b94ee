/** Validates one device of a ResourceSlice: attributes, capacity, nodes. */
import {
  byteLength,
  dns1123LabelProblems,
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  pushAll,
  required,
  tooLong,
  type FieldError,
  type JsonObject,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import { validateItems, validateQualifiedIdentifier } from './device-names.ts';
import { validateTaint, type DeviceTaint } from './device-taint.ts';

export interface Device {
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  readonly allowMultipleAllocations?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly nodeName?: string;
  readonly nodeSelector?: JsonObject;
  readonly allNodes?: boolean;
}

interface DeviceAttribute {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
}

interface DeviceCapacity {
  readonly value?: string;
  readonly requestPolicy?: JsonObject;
}

const maxProperties = 32;
const maxTaints = 16;
const maxValueBytes = 64;
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

export function validateDevice(device: Device, choosesNodes: boolean, path: string): FieldError[] {
  const { name = '', attributes = {}, capacity = {}, taints = [] } = device;
  const properties = Object.keys(attributes).length + Object.keys(capacity).length;
  const errors = invalids(`${path}.name`, name, dns1123LabelProblems(name));
  if (properties > maxProperties) {
    const detail = `the total number of attributes and capacities must not exceed ${maxProperties}`;
    errors.push(invalid(path, properties, detail));
  }
  return [
    ...errors,
    ...validateProperties(attributes, validateAttribute, `${path}.attributes`),
    ...validateProperties(capacity, (one, field) => validateCapacity(one, device, field), `${path}.capacity`),
    ...validateItems(taints, maxTaints, validateTaint, `${path}.taints`),
    ...(choosesNodes ? validateNodes(device, path) : validateNoNodes(device, path)),
  ];
}

function validateProperties<Value>(
  properties: Readonly<Record<string, Value>>,
  check: (value: Value, path: string) => FieldError[],
  path: string,
): FieldError[] {
  return Object.entries(properties).flatMap(([name, value]) => [
    ...validateQualifiedIdentifier(name, path),
    ...check(value, `${path}[${name}]`),
  ]);
}

function validateAttribute(attribute: DeviceAttribute, path: string): FieldError[] {
  const { int, bool, string: text, version } = attribute;
  const errors = text === undefined ? [] : validateLength(text, `${path}.string`);
  if (version !== undefined) pushAll(errors, validateVersion(version, `${path}.version`));
  const given = [int, bool, text, version].filter((value) => value !== undefined);
  const detail = 'exactly one value must be specified';
  if (given.length === 0) return [...errors, invalid(path, '', detail)];
  return given.length === 1 ? errors : [...errors, invalid(path, attributeInGo(attribute), detail)];
}

function validateVersion(version: string, field: string): FieldError[] {
  const errors = semanticVersion.test(version)
    ? []
    : [invalid(field, version, 'must be a string compatible with semver.org spec 2.0.0')];
  return [...errors, ...validateLength(version, field)];
}

function validateLength(value: string, field: string): FieldError[] {
  return byteLength(value) > maxValueBytes ? [tooLong(field, maxValueBytes)] : [];
}

/** The attribute as Go prints the struct in an error. */
function attributeInGo({ int, bool, string: text, version }: DeviceAttribute): JsonObject {
  return {
    IntValue: int ?? null,
    BoolValue: bool ?? null,
    StringValue: text ?? null,
    VersionValue: version ?? null,
    IntValues: null,
    BoolValues: null,
    StringValues: null,
    VersionValues: null,
  };
}

function validateCapacity({ requestPolicy }: DeviceCapacity, device: Device, path: string): FieldError[] {
  if (requestPolicy === undefined || device.allowMultipleAllocations) return [];
  return [forbidden(`${path}.requestPolicy`, 'allowMultipleAllocations must be true')];
}

function validateNodes({ nodeName, nodeSelector, allNodes }: Device, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (nodeName === '') errors.push(invalid(`${path}.nodeName`, nodeName, 'must not be empty'));
  else if (nodeName !== undefined) {
    pushAll(errors, invalids(`${path}.nodeName`, nodeName, nameIsDnsSubdomain(nodeName, false)));
  }
  if (allNodes === false) errors.push(invalid(`${path}.allNodes`, false, 'must be either unset or set to true'));
  const given = [nodeName && '`nodeName`', nodeSelector && '`nodeSelector`', allNodes && '`allNodes`'].filter(Boolean);
  if (given.length === 1) return errors;
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [...errors, given.length === 0 ? required(path, detail) : invalid(path, `{${given.join(', ')}}`, detail)];
}

function validateNoNodes({ nodeName, nodeSelector, allNodes }: Device, path: string): FieldError[] {
  if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return [];
  const detail =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [invalid(path, null, detail)];
}
