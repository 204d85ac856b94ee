/** Which objects a quota counts, and how much they use of it. */
import type { KubeObject, ObjectMeta } from '@flotilla/kube';
import type { ResourceList } from '../kinds/core-pods/pod-fields.ts';
import type { ResourceQuotaSpec, ScopeRequirement } from '../kinds/core/resource-quota.ts';
import { noAmounts, onlyNamed, type Amounts } from './amounts.ts';
import type { QuotaEvaluator, UsageContext } from './evaluator.ts';

/** A ResourceQuota. */
export interface QuotaFields {
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceQuotaSpec;
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

/** All must match. */
export function scopesOf({ spec }: Pick<QuotaFields, 'spec'>): readonly ScopeRequirement[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
}

export function matchesScopes(
  { matchesScope }: QuotaEvaluator,
  scopes: readonly ScopeRequirement[],
  object: KubeObject,
): boolean {
  return scopes.every((scope) => matchesScope?.(scope, object) === true);
}

/** What one object uses of a quota with these scopes and names. */
export function usageOfQuota(
  evaluator: QuotaEvaluator,
  { scopes, names }: { readonly scopes: readonly ScopeRequirement[]; readonly names: Iterable<string> },
  object: KubeObject,
  context: UsageContext,
): Amounts {
  if (!matchesScopes(evaluator, scopes, object)) return noAmounts;
  return onlyNamed(evaluator.usageOf(object, context), names);
}
