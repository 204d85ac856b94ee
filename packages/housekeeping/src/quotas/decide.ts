import {
  areEqualAmounts,
  noAmounts,
  quotaEvaluatorOf,
  scopesOf,
  usageOfQuota,
  type Amounts,
  type QuotaEvaluator,
  type QuotaFields,
  type ScopeRequirement,
  type UsageContext,
} from '@flotilla/builtins';
import { parseQuantity, qualified, setOwn, type Kind, type KubeObject } from '@flotilla/kube';

/** What a quota counts: names of resources, of objects in all of the scopes. */
export interface Counted {
  readonly names: ReadonlySet<string>;
  readonly scopes: readonly ScopeRequirement[];
}

/** How a quota counts the objects of one kind. */
export interface KindCount extends Pick<Counted, 'scopes'> {
  readonly kind: Kind;
  /** The names that count objects of the kind. */
  readonly names: readonly string[];
  readonly evaluator: QuotaEvaluator;
}

export function countedBy(quota: QuotaFields): Counted {
  return { names: new Set(Object.keys(quota.spec?.hard ?? {})), scopes: scopesOf(quota) };
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

/**
 * The quota with this usage in its status; undefined if it has it already. Parses only what differs: a quota may have tens of
 * thousands of resources.
 */
export function decideStatus(quota: Readonly<KubeObject>, counted: Amounts): KubeObject | undefined {
  const { spec, status } = quota as QuotaFields;
  const hard = spec?.hard ?? {};
  const before = status?.used ?? {};
  const used: Record<string, string> = {};
  for (const name of Object.keys(hard)) {
    // A kind that is not served keeps its last count.
    const amount = counted.get(name)?.toString() ?? before[name];
    if (amount !== undefined) setOwn(used, name, amount);
  }
  const isCurrent =
    status?.hard !== undefined &&
    status.used !== undefined &&
    areEqualLists(hard, status.hard) &&
    areEqualLists(used, before);
  return isCurrent ? undefined : { ...quota, status: { hard, used } };
}

function areEqualLists(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSameAmount(a[name], b[name]));
}

function isSameAmount(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a === b || parseQuantity(a).equals(parseQuantity(b));
}
