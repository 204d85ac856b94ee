import {
  areEqualAmounts,
  noAmounts,
  parseAmounts,
  printAmounts,
  quotaEvaluatorOf,
  scopesOf,
  usageOfQuota,
  type Amounts,
  type QuotaEvaluator,
  type QuotaFields,
  type ScopeRequirement,
  type UsageContext,
} from '@flotilla/builtins';
import { qualified, type Kind, type KubeObject, type Quantity } from '@flotilla/kube';

/** What a quota counts: names of resources, of objects in all of the scopes. */
export interface Counted {
  readonly names: readonly string[];
  readonly scopes: readonly ScopeRequirement[];
}

/** How a quota counts the objects of one kind. */
export interface KindCount extends Counted {
  readonly kind: Kind;
  readonly evaluator: QuotaEvaluator;
}

export function countedBy(quota: QuotaFields): Counted {
  return { names: Object.keys(quota.spec?.hard ?? {}), scopes: scopesOf(quota) };
}

/** Undefined if the quota counts no object of the kind. */
export function countOf({ names, scopes }: Counted, kind: Kind, context: UsageContext): KindCount | undefined {
  const evaluator = quotaEvaluatorOf(qualified(kind.plural, kind.group));
  const matching = evaluator?.matchingNames(names, context) ?? [];
  return evaluator && matching.length > 0 ? { kind, evaluator, names: matching, scopes } : undefined;
}

/** Whether a change of an object changes what it uses of the quota. */
export function changesUsage(
  { evaluator, ...counted }: KindCount,
  now: KubeObject,
  old: KubeObject,
  context: UsageContext,
): boolean {
  const [after, before] = [now, old].map((object) => usageOfQuota(evaluator, counted, object, context));
  return !areEqualAmounts(after ?? noAmounts, before ?? noAmounts);
}

/** The quota with this usage in its status; undefined if it has it already. */
export function decideStatus(quota: Readonly<KubeObject>, counted: Amounts): KubeObject | undefined {
  const { spec, status } = quota as unknown as QuotaFields;
  const hard = parseAmounts(spec?.hard);
  const before = parseAmounts(status?.used);
  const used = new Map<string, Quantity>();
  for (const name of hard.keys()) {
    // A kind that is not served keeps its last count.
    const amount = counted.get(name) ?? before.get(name);
    if (amount !== undefined) used.set(name, amount);
  }
  const isCurrent =
    status?.hard !== undefined &&
    status.used !== undefined &&
    areEqualAmounts(hard, parseAmounts(status.hard)) &&
    areEqualAmounts(used, before);
  return isCurrent ? undefined : { ...quota, status: { hard: printAmounts(hard), used: printAmounts(used) } };
}
