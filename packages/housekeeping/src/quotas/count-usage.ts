import { addAmounts, podReleaseTime, usageOfQuota, type Amounts, type UsageContext } from '@flotilla/builtins';
import { Quantity, type Kind, type KubeObject } from '@flotilla/kube';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';
import { countedBy, countOf, type KindCount } from './decide.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly collections: Collections;
}

export interface CountedUsage {
  readonly used: Amounts;
  /** When the next deleted pod stops being counted, without any event; Infinity if there is none. */
  readonly releaseAt: number;
}

/** Counts what all objects of a namespace use of a quota. */
export async function countUsage(
  quota: Readonly<KubeObject>,
  namespace: string,
  dependencies: Dependencies,
): Promise<CountedUsage> {
  const { collections, turns } = dependencies;
  const context = usageContext(namespace, dependencies);
  const counted = countedBy(quota);
  const used = new Map<string, Quantity>();
  let releaseAt = Infinity;
  for (const kind of collections.preferred('create', 'list', 'watch', 'delete')) {
    if (turns.isOver()) await turns.next();
    const count = kind.namespaced ? countOf(counted, kind, context) : undefined;
    if (count === undefined) continue;
    for (const name of count.names) used.set(name, used.get(name) ?? Quantity.zero);
    if (isOutOfScope(count)) continue;
    if (count.evaluator.isPlainCount === true) {
      const { length } = await collections.contents(kind, namespace);
      addAmounts(used, new Map(count.names.map((name) => [name, new Quantity(BigInt(length), 0, 'DecimalSI')])));
      continue;
    }
    for await (const object of collections.objects(kind, namespace)) {
      addAmounts(used, usageOfQuota(count.evaluator, count, object, context));
      const releasedAt = isPod(kind) ? (podReleaseTime(object) ?? Infinity) : Infinity;
      if (releasedAt >= dependencies.clock.now()) releaseAt = Math.min(releaseAt, releasedAt);
    }
  }
  return { used, releaseAt };
}

/** Whether the quota has scopes, and no object of the kind matches any. */
function isOutOfScope({ evaluator, scopes }: KindCount): boolean {
  return scopes.length > 0 && evaluator.matchesScope === undefined;
}

export function usageContext(
  namespace: string,
  { clock, collections }: Pick<Dependencies, 'clock' | 'collections'>,
): UsageContext {
  return {
    now: new Date(clock.now()),
    deviceClasses: () => collections.viewed(kinds.deviceClass),
    pod: (name) => collections.viewedObject(kinds.pod, { namespace, name }),
    deviceClaims: () => collections.viewed(kinds.deviceClaim, namespace),
  };
}

export function isPod({ plural, group }: Kind): boolean {
  return plural === kinds.pod.plural && group === '';
}
