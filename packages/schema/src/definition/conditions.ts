import { aggregate, fieldErrorText, invalid, type FieldError } from '@flotilla/kube';
import { validateStructural } from '../structural/structural-rules.ts';
import { unsupportedKeyword } from '../structural/structural-keywords.ts';
import { approvalOf, isProtectedGroup, type Approval } from './api-approval.ts';
import { caBundleProblem } from './conversion.ts';
import type { CustomResourceDefinition, DefinitionCondition, DefinitionStatus } from './custom-resource-definition.ts';

export type ConditionType =
  | 'Established'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant';

export interface ConditionState {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Steps in the deletion of a definition and its objects. */
export const terminating = {
  pending: terminatingState(
    'True',
    'InstanceDeletionPending',
    'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  ),
  inProgress: terminatingState('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'),
  couldNotList: (why: string) => terminatingState('True', 'InstanceDeletionFailed', `could not list instances: ${why}`),
  couldNotDelete: (why: string) =>
    terminatingState('True', 'InstanceDeletionFailed', `could not issue all deletes: ${why}`),
  notConfirmed: (why: string) =>
    terminatingState('True', 'InstanceDeletionCheck', `could not confirm zero CustomResources remaining: ${why}`),
  completed: terminatingState('False', 'InstanceDeletionCompleted', 'removed all instances'),
  neverEstablished: terminatingState('False', 'NeverEstablished', 'resource was never established'),
  overlapsBuiltIn: terminatingState(
    'False',
    'OverlappingBuiltInResource',
    'instances overlap with built-in resources in storage',
  ),
} as const;

/** For accepted names, when the server is ready to serve. An invalid CA bundle of the webhook prevents it. */
export function establishedCondition({ spec }: CustomResourceDefinition): ConditionState {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  if (caBundleProblem(bundle) === undefined) {
    return condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted');
  }
  return condition('Established', 'False', 'InvalidCABundle', 'The conversion webhook CABundle is invalid');
}

/** Undefined for groups that need no approval. */
export function approvalCondition({ spec, metadata }: CustomResourceDefinition): ConditionState | undefined {
  if (!isProtectedGroup(spec.group)) return undefined;
  const { state: approval, message } = approvalOf(metadata);
  const status = approval === 'approved' ? 'True' : 'False';
  return condition('KubernetesAPIApprovalPolicyConformant', status, approvalReasons[approval], message);
}

const approvalReasons: Readonly<Record<Approval['state'], string>> = {
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
  invalid: 'InvalidAnnotation',
  missing: 'MissingAnnotation',
};

/**
 * Undefined if every schema is structural. Only definitions that are older than this requirement have the condition.
 */
export function nonStructuralCondition({ spec }: CustomResourceDefinition): ConditionState | undefined {
  const errors: FieldError[] = [];
  if (spec.preserveUnknownFields === true) errors.push(invalid('spec.preserveUnknownFields', true, 'must be false'));
  for (const [i, { name, schema }] of spec.versions.entries()) {
    const root = schema?.openAPIV3Schema;
    if (root === undefined) continue;
    const problem = unsupportedKeyword(root);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${problem}`;
      return condition('NonStructuralSchema', 'Unknown', 'StructuralError', message);
    }
    errors.push(...validateStructural(root, `spec.versions[${i}].schema.openAPIV3Schema`));
  }
  if (errors.length === 0) return undefined;
  return condition('NonStructuralSchema', 'True', 'Violations', aggregate(errors.map(fieldErrorText)));
}

export function conditionOf(
  { status }: CustomResourceDefinition,
  type: ConditionType,
): DefinitionCondition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

export function isConditionTrue(definition: CustomResourceDefinition, type: ConditionType): boolean {
  return conditionOf(definition, type)?.status === 'True';
}

/** Replaces or adds a condition. Its transition time changes only with its status. */
export function withCondition(
  conditions: DefinitionStatus['conditions'],
  { type, status, reason, message }: ConditionState,
  now: string,
): DefinitionCondition[] {
  const before = conditions?.find((one) => one.type === type);
  const kept = before?.status === status ? before.lastTransitionTime : undefined;
  const next = { ...before, type, status, lastTransitionTime: kept ?? now, reason, message };
  if (before === undefined) return [...(conditions ?? []), next];
  return (conditions ?? []).map((one) => (one === before ? next : one));
}

export function withoutCondition(
  conditions: DefinitionStatus['conditions'],
  type: ConditionType,
): DefinitionCondition[] {
  return (conditions ?? []).filter((one) => one.type !== type);
}

function terminatingState(status: 'True' | 'False', reason: string, message: string): ConditionState {
  return condition('Terminating', status, reason, message);
}

export function condition(
  type: ConditionType,
  status: ConditionState['status'],
  reason: string,
  message: string,
): ConditionState {
  return { type, status, reason, message };
}
