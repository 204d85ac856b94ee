import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '@flotilla/kube';
import { invalids } from '../field-checks.ts';
import { validateFullyQualifiedIdentifier, validateItems, validateSet } from './device-names.ts';
import {
  validateConfiguration,
  validateSelectors,
  type SelectorContext,
  type ClaimConfiguration,
  type DeviceClaim,
  type DeviceConstraint,
  type DeviceRequest,
  type ExactRequest,
  type ResourceClaimSpec,
  type SubRequest,
} from './device-claim-fields.ts';
import { validateToleration } from './device-taint.ts';

const maxRequests = 32;
const maxAlternatives = 8;
const maxConstraints = 32;
const maxConfigurations = 32;

export function validateClaimSpec(
  { devices = {} }: ResourceClaimSpec,
  path: string,
  context: SelectorContext,
): FieldError[] {
  const { requests, constraints = [], config = [] } = devices;
  const names = requestNames(devices);
  const nameOf = ({ name = '' }: { readonly name?: string }) => name;
  return [
    ...validateSet(
      requests ?? [],
      maxRequests,
      (request, field) => validateRequest(request, field, context),
      nameOf,
      `${path}.devices.requests`,
    ),
    ...validateItems(
      constraints,
      maxConstraints,
      (constraint, field) => validateConstraint(constraint, names, field),
      `${path}.devices.constraints`,
    ),
    ...validateItems(
      config,
      maxConfigurations,
      (one, field) => validateClaimConfiguration(one, names, field),
      `${path}.devices.config`,
    ),
  ];
}

/**
 * The names that results, constraints and settings may reference: requests, and alternatives as `request/alternative`.
 */
export function requestNames({ requests }: DeviceClaim): ReadonlySet<string> {
  return new Set(
    (requests ?? []).flatMap(({ name = '', firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((alternative) => `${name}/${alternative.name ?? ''}`),
    ]),
  );
}

export function validateRequestReference(name: string, names: ReadonlySet<string>, field: string): FieldError[] {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const parts = name.split('/');
  if (parts.length > 2) return [invalid(field, name, detail)];
  const errors = parts.flatMap((part) => invalids(field, part, dns1123LabelProblems(part)));
  return names.has(name) ? errors : [...errors, invalid(field, name, detail)];
}

export function validateRequestReferences(
  references: readonly string[] = [],
  names: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const check = (name: string, field: string) => validateRequestReference(name, names, field);
  return validateSet(references, maxRequests, check, (name) => name, path);
}

function validateRequest(request: DeviceRequest, path: string, context: SelectorContext): FieldError[] {
  const { name = '', exactly, firstAvailable = [] } = request;
  const errors = invalids(`${path}.name`, name, dns1123LabelProblems(name));
  const detail = 'exactly one of `exactly` or `firstAvailable` is required';
  if (firstAvailable.length > 0) {
    if (exactly !== undefined) return [...errors, invalid(path, null, `${detail}, but multiple fields are set`)];
    const nameOf = (alternative: SubRequest) => alternative.name ?? '';
    const alternatives = `${path}.firstAvailable`;
    const check = (alternative: SubRequest, field: string) => validateSubRequest(alternative, field, context);
    return [...errors, ...validateSet(firstAvailable, maxAlternatives, check, nameOf, alternatives)];
  }
  if (exactly === undefined) return [...errors, required(path, detail)];
  return [...errors, ...validateExactRequest(exactly, `${path}.exactly`, context)];
}

function validateSubRequest(request: SubRequest, path: string, context: SelectorContext): FieldError[] {
  const { name = '' } = request;
  return [
    ...invalids(`${path}.name`, name, dns1123LabelProblems(name)),
    ...validateExactRequest(request, path, context),
  ];
}

function validateExactRequest(request: ExactRequest, path: string, context: SelectorContext): FieldError[] {
  const { deviceClassName = '', tolerations = [] } = request;
  const field = `${path}.deviceClassName`;
  return [
    ...(deviceClassName === ''
      ? [required(field)]
      : invalids(field, deviceClassName, dns1123SubdomainProblems(deviceClassName))),
    ...validateSelectors(request.selectors, `${path}.selectors`, context),
    ...validateMode(request, path),
    ...tolerations.flatMap((toleration, index) => validateToleration(toleration, `${path}.tolerations[${index}]`)),
  ];
}

function validateMode({ allocationMode = '', count = 0 }: ExactRequest, path: string): FieldError[] {
  switch (allocationMode) {
    case 'All':
      if (Number(count) === 0) return [];
      return [invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'")];
    case 'ExactCount':
      return count > 0 ? [] : [invalid(`${path}.count`, count, 'must be greater than zero')];
    default:
      return [notSupported(`${path}.allocationMode`, allocationMode, ['All', 'ExactCount'])];
  }
}

function validateConstraint(constraint: DeviceConstraint, names: ReadonlySet<string>, path: string): FieldError[] {
  const { requests, matchAttribute, distinctAttribute } = constraint;
  const errors = validateRequestReferences(requests, names, `${path}.requests`);
  if (matchAttribute !== undefined) {
    return [...errors, ...validateFullyQualifiedIdentifier(matchAttribute, `${path}.matchAttribute`)];
  }
  if (distinctAttribute !== undefined) {
    return [...errors, ...validateFullyQualifiedIdentifier(distinctAttribute, `${path}.distinctAttribute`)];
  }
  const oneOf = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [...errors, required(path, oneOf)];
}

function validateClaimConfiguration(
  config: ClaimConfiguration,
  names: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors = validateRequestReferences(config.requests, names, `${path}.requests`);
  return [...errors, ...validateConfiguration(config, path)];
}
