import {
  duplicate,
  forbidden,
  internalFieldError,
  invalid,
  isJsonObject,
  JsonError,
  labelValueProblems,
  notSupported,
  parseCidr,
  parseJson,
  qualifiedNameProblems,
  required,
  type FieldError,
} from '@flotilla/kube';
import { noOldValues, validateLegacyCidr } from '../ip-field.ts';
import { invalids } from '../field-checks.ts';
import type { NodeFields, NodeSpec, NodeStatus, Taint } from './node.ts';
import { validateResourceQuantity } from './resource-quantity.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const taintsAnnotation = 'scheduler.alpha.kubernetes.io/taints';
const featureName = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;

export function validateNode(node: NodeFields): FieldError[] {
  const { spec, status } = node;
  const swap = status.nodeInfo?.swap?.capacity;
  return [
    ...validateTaintAnnotation(node),
    // Kubernetes' path is wrong here.
    ...validateTaints(spec.taints ?? [], 'metadata.taints'),
    ...validateAmounts(status),
    ...(swap !== undefined && swap <= 0
      ? [invalid('metadata.nodeSwapStatus.capacity', swap, 'must be greater than zero')]
      : []),
    ...validateFeatures(status),
    ...validatePodRanges(spec),
  ];
}

/** For updates of the node and of its status. */
export function validateNodeChange(node: NodeFields, old: NodeFields): FieldError[] {
  const { spec, status } = node;
  return [
    ...validateTaintAnnotation(node),
    ...validateAmounts(status),
    ...validateFeatures(status),
    ...validateAddresses(status),
    ...validateSpecChange(spec, old.spec),
    ...validateTaints(spec.taints ?? [], 'metadata.taints'),
    ...((spec.externalID ?? '') === (old.spec.externalID ?? '')
      ? []
      : [forbidden('spec.externalID', 'may not be updated')]),
  ];
}

function validateTaintAnnotation({ metadata: { annotations = {} } }: NodeFields): FieldError[] {
  const text = annotations[taintsAnnotation] ?? '';
  if (text === '') return [];
  try {
    const { value } = parseJson(text);
    const taints = Array.isArray(value) ? value.filter(isJsonObject) : [];
    return validateTaints(taints.map(taintOf), `metadata.annotations.${taintsAnnotation}`);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return [invalid('metadata.annotations', taintsAnnotation, error.message)];
  }
}

function taintOf({ key, value, effect }: Readonly<Record<string, unknown>>): Taint {
  const text = (field: unknown) => (typeof field === 'string' ? field : '');
  return { key: text(key), value: text(value), effect: text(effect) };
}

function validateTaints(taints: readonly Taint[], field: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const path = `${field}[${index}]`;
    const pair = `${taint.effect}/${taint.key}`;
    const errors = validateTaint(taint, path);
    if (seen.has(pair)) {
      errors.push(duplicate(path, internalTaint(taint), 'taints must be unique by key and effect pair'));
    }
    seen.add(pair);
    return errors;
  });
}

function validateTaint({ key, value = '', effect }: Taint, field: string): FieldError[] {
  const errors = invalids(`${field}.key`, key, qualifiedNameProblems(key));
  const problems = labelValueProblems(value);
  if (problems.length > 0) errors.push(invalid(`${field}.value`, value, problems.join(';')));
  if (effect === '') errors.push(required(`${field}.effect`));
  else if (!effects.includes(effect)) errors.push(notSupported(`${field}.effect`, effect, effects));
  return errors;
}

function internalTaint({ key, value = '', effect, timeAdded }: Taint): Record<string, string | null> {
  return { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
}

function validateAmounts({ capacity = {}, allocatable = {} }: NodeStatus): FieldError[] {
  return Object.entries({ capacity, allocatable }).flatMap(([list, amounts]) =>
    Object.entries(amounts).flatMap(([name, amount]) =>
      validateResourceQuantity(`status.${list}.${name}`, name, amount),
    ),
  );
}

function validateFeatures({ declaredFeatures = [] }: NodeStatus): FieldError[] {
  return declaredFeatures.flatMap((feature, index) => {
    const field = `status.declaredFeatures[${index}]`;
    const before = declaredFeatures[index - 1];
    const errors: FieldError[] = [];
    if (before === feature) errors.push(duplicate(field, feature));
    else if (before !== undefined && before > feature) {
      errors.push(invalid(field, feature, 'list must be sorted alphabetically'));
    }
    return [...errors, ...validateFeatureName(field, feature)];
  });
}

function validateFeatureName(field: string, feature: string): FieldError[] {
  const wrong = `invalid feature name "${feature}"`;
  if (feature.length > 253) return [invalid(field, feature, `${wrong}: must be no more than 253 characters`)];
  if (featureName.test(feature)) return [];
  const rule =
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/' " +
    '(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes';
  return [invalid(field, feature, `${wrong}: ${rule}`)];
}

function validatePodRanges({ podCIDRs = [] }: NodeSpec): FieldError[] {
  const field = 'spec.podCIDRs';
  const errors = podCIDRs.flatMap((cidr, index) => validateLegacyCidr(`${field}[${index}]`, cidr, noOldValues));
  if (podCIDRs.length < 2) return errors;
  const unreadable = podCIDRs.findIndex((cidr) => parseCidr(cidr) === undefined);
  if (unreadable !== -1) {
    const fault = `invalid CIDR[${unreadable}]: <nil> (invalid CIDR address: ${podCIDRs[unreadable]})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${fault}`;
    errors.push(internalFieldError(field, detail));
  }
  const families = new Set(podCIDRs.map((cidr) => cidr.includes(':')));
  if (unreadable !== -1 || families.size < 2 || podCIDRs.length > 2) {
    errors.push(invalid(field, podCIDRs, 'may specify no more than one CIDR for each IP family'));
  }
  return errors;
}

function validateAddresses({ addresses = [] }: NodeStatus): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type, address }, index) => {
    const { size } = seen;
    if (seen.add(`${type}/${address}`).size > size) return [];
    return [duplicate(`status.addresses[${index}]`, { Type: type, Address: address })];
  });
}

/** These fields may be set once. */
function validateSpecChange(now: NodeSpec, old: NodeSpec): FieldError[] {
  const errors: FieldError[] = [];
  const before = old.podCIDRs ?? [];
  const ranges = now.podCIDRs ?? [];
  const changes = before.length === ranges.length ? before.filter((cidr, index) => cidr !== ranges[index]) : [''];
  for (const _ of before.length === 0 ? [] : changes) {
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  if (old.providerID && old.providerID !== now.providerID) {
    errors.push(forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}
