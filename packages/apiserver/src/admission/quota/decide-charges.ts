import {
  addAmounts,
  increaseOf,
  matchesScopes,
  noAmounts,
  onlyNamed,
  type Amounts,
  type CountedWrite,
  type QuotaEvaluator,
  type ScopeRequirement,
  type UsageContext,
} from '@flotilla/builtins';

/** A quota as its status has it: only what its controller has counted is enforced. */
export interface CountedQuota {
  readonly name: string;
  readonly scopes: readonly ScopeRequirement[];
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** The new usage of the quotas that a write is charged to, or why it is refused. */
export type Charges<Quota extends CountedQuota> =
  | { readonly refusal: string }
  | { readonly refusal?: undefined; readonly used: ReadonlyMap<Quota, Amounts> };

/** Charges what a write uses more than before to every quota that counts it. */
export function decideCharges<Quota extends CountedQuota>(
  quotas: readonly Quota[],
  evaluator: QuotaEvaluator,
  write: CountedWrite,
  context: UsageContext,
): Charges<Quota> {
  const matching: Quota[] = [];
  for (const quota of quotas) {
    const names = evaluator.matchingNames(quota.hard, context);
    if (names.length === 0 || !matchesScopes(evaluator, quota.scopes, write.object)) continue;
    const omission = evaluator.omission?.(names, write.object);
    if (omission !== undefined) return { refusal: `failed quota: ${quota.name}: ${omission}` };
    if (!names.every((name) => quota.used.has(name))) {
      return { refusal: `status unknown for quota: ${quota.name}, resources: ${names.toSorted().join(',')}` };
    }
    matching.push(quota);
  }
  return matching.length === 0 ? { used: new Map() } : chargeTo(matching, evaluator, write, context);
}

function chargeTo<Quota extends CountedQuota>(
  quotas: readonly Quota[],
  evaluator: QuotaEvaluator,
  { object, old, subresource }: CountedWrite,
  context: UsageContext,
): Charges<Quota> {
  const usage = evaluator.usageOf(object, context);
  const negative = [...usage].filter(([, quantity]) => quantity.sign < 0).map(([name]) => name);
  if (negative.length > 0) {
    return { refusal: `quota usage is negative for resource(s): ${negative.toSorted().join(',')}` };
  }
  const increase = increaseOf(usage, noAmounts);
  const difference = old && increaseOf(usage, evaluator.usageOf(old, context));
  const used = new Map<Quota, Amounts>();
  for (const quota of quotas) {
    const wasCounted = old !== undefined && matchesScopes(evaluator, quota.scopes, old);
    const requested = onlyNamed((wasCounted ? difference : undefined) ?? increase, quota.hard.keys());
    if (requested.size === 0) continue;
    const total = new Map(quota.used);
    addAmounts(total, requested);
    // A status reports what has happened already.
    const exceeded = subresource === 'status' ? [] : exceededNames(total, requested, quota.hard);
    if (exceeded.length > 0) return { refusal: refusalOf(quota, requested, exceeded) };
    used.set(quota, total);
  }
  return { used };
}

function exceededNames(total: Amounts, requested: Amounts, hard: Amounts): string[] {
  return [...requested.keys()].filter((name) => {
    const limit = hard.get(name);
    return limit !== undefined && (total.get(name)?.compare(limit) ?? 0) > 0;
  });
}

function refusalOf({ name, used, hard }: CountedQuota, requested: Amounts, exceeded: readonly string[]): string {
  const [asked, taken, limited] = [requested, used, hard].map((amounts) => printed(onlyNamed(amounts, exceeded)));
  return `exceeded quota: ${name}, requested: ${asked}, used: ${taken}, limited: ${limited}`;
}

function printed(amounts: Amounts): string {
  return [...amounts]
    .map(([name, quantity]) => `${name}=${quantity.toString()}`)
    .toSorted()
    .join(',');
}
