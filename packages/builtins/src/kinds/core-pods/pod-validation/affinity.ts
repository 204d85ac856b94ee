import {
  forbidden,
  invalid,
  labelValueProblems,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  pushAll,
  qualifiedNameProblems,
  required,
  validateLabelSelector,
  type FieldError,
} from '@flotilla/kube';
import type {
  AffinityFields,
  NodeAffinityFields,
  NodeSelectorRequirementFields,
  NodeSelectorTermFields,
  PodAffinityFields,
  PodAffinityTermFields,
} from '../pod-fields.ts';
import { invalidForEach } from './checks.ts';
import { checkLabelKeys } from './label-keys.ts';

const requiredField = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredField = 'preferredDuringSchedulingIgnoredDuringExecution';

export function checkAffinity(errors: FieldError[], path: string, affinity: AffinityFields): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity !== undefined) checkNodeAffinity(errors, `${path}.nodeAffinity`, nodeAffinity);
  if (podAffinity !== undefined) checkPodAffinity(errors, `${path}.podAffinity`, podAffinity);
  if (podAntiAffinity !== undefined) checkPodAffinity(errors, `${path}.podAntiAffinity`, podAntiAffinity);
}

function checkNodeAffinity(errors: FieldError[], path: string, affinity: NodeAffinityFields): void {
  const requiredTerms = affinity[requiredField];
  if (requiredTerms !== undefined) checkNodeSelector(errors, `${path}.${requiredField}`, requiredTerms);
  affinity[preferredField]?.forEach(({ weight, preference }, i) => {
    const at = `${path}.${preferredField}[${i}]`;
    checkWeight(errors, `${at}.weight`, weight);
    checkNodeSelectorTerm(errors, `${at}.preference`, preference, false);
  });
}

function checkWeight(errors: FieldError[], path: string, weight: number): void {
  if (weight <= 0 || weight > 100) errors.push(invalid(path, weight, 'must be in the range 1-100'));
}

export function checkNodeSelector(
  errors: FieldError[],
  path: string,
  { nodeSelectorTerms }: { readonly nodeSelectorTerms?: readonly NodeSelectorTermFields[] | null },
): void {
  const at = `${path}.nodeSelectorTerms`;
  if (!nodeSelectorTerms?.length) errors.push(required(at, 'must have at least one node selector term'));
  nodeSelectorTerms?.forEach((term, i) => checkNodeSelectorTerm(errors, `${at}[${i}]`, term, true));
}

/** `withValues`: preferences may contain values that no label can have. */
function checkNodeSelectorTerm(
  errors: FieldError[],
  path: string,
  { matchExpressions, matchFields }: NodeSelectorTermFields,
  withValues: boolean,
): void {
  matchExpressions?.forEach((requirement, i) => {
    const at = `${path}.matchExpressions[${i}]`;
    checkValueCount(errors, at, requirement);
    invalidForEach(errors, `${at}.key`, requirement.key, qualifiedNameProblems(requirement.key));
    if (!withValues) return;
    requirement.values?.forEach((value, j) => {
      invalidForEach(errors, `${at}.values[${j}]`, value, labelValueProblems(value));
    });
  });
  matchFields?.forEach((requirement, i) => checkFieldRequirement(errors, `${path}.matchFields[${i}]`, requirement));
}

function checkValueCount(
  errors: FieldError[],
  path: string,
  { operator, values = [] }: NodeSelectorRequirementFields,
): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return;
      return void errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return;
      return void errors.push(
        forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      );
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return;
      return void errors.push(
        required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
      );
    default:
      errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
}

function checkFieldRequirement(
  errors: FieldError[],
  path: string,
  { key, operator, values = [] }: NodeSelectorRequirementFields,
): void {
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (key !== 'metadata.name') return void errors.push(invalid(`${path}.key`, key, 'not a valid field selector key'));
  values.forEach((value, i) => {
    invalidForEach(errors, `${path}.values[${i}]`, value, nameIsDnsSubdomain(value, false));
  });
}

function checkPodAffinity(errors: FieldError[], path: string, affinity: PodAffinityFields): void {
  affinity[requiredField]?.forEach((term, i) => checkPodAffinityTerm(errors, `${path}.${requiredField}[${i}]`, term));
  affinity[preferredField]?.forEach(({ weight, podAffinityTerm }, i) => {
    const at = `${path}.${preferredField}[${i}]`;
    checkWeight(errors, `${at}.weight`, weight);
    checkPodAffinityTerm(errors, `${at}.podAffinityTerm`, podAffinityTerm);
  });
}

function checkPodAffinityTerm(errors: FieldError[], path: string, term: PodAffinityTermFields): void {
  pushAll(errors, validateLabelSelector(term.labelSelector, `${path}.labelSelector`));
  pushAll(errors, validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`));
  for (const name of term.namespaces ?? []) {
    invalidForEach(errors, `${path}.namespace`, name, nameIsDnsLabel(name, false));
  }
  checkLabelKeys(errors, path, term);
  if (!term.topologyKey) errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  invalidForEach(errors, `${path}.topologyKey`, term.topologyKey, qualifiedNameProblems(term.topologyKey));
}
