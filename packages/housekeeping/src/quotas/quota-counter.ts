import type { Client } from '@flotilla/client';
import { podReleaseTime, type QuotaFields, type UsageContext } from '@flotilla/builtins';
import {
  jsonEquals,
  keyText,
  type JsonObject,
  type Kind,
  type KubeObject,
  type Logger,
  type ObjectKey,
} from '@flotilla/kube';
import { WorkLoop, type ObjectChange } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';
import { fieldManager, retryLimits } from '../settings.ts';
import { countUsage, isPod, usageContext } from './count-usage.ts';
import { changesUsage, countedBy, countOf, decideStatus, type Counted, type KindCount } from './decide.ts';

export interface QuotaCounterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
}

/** The default `--resource-quota-sync-period` of kube-controller-manager. */
const resyncMs = 300_000;

/** Objects are deleted in batches. The first deletion is counted at once, the others together. */
const minPauseMs = 5;

/** Counting reads all objects of a namespace. It takes at most this part of the time. */
const maxShare = 0.1;
const maxPauseMs = 2000;

/** A quota that exists, and what it counts. */
interface Known {
  readonly key: ObjectKey;
  readonly counted: Counted;
  /** Whether it counts a resource for which its status has no usage. */
  readonly isIncomplete: boolean;
}

/**
 * Keeps the status of ResourceQuotas. The server charges a write to its quotas in the same commit. So this counts only when a quota
 * is new or different, and when objects are deleted or use less.
 *
 * A count starts after the quota was read, and its result is written only if the quota has not changed since. Every write that uses
 * more changes the quota, so a count never misses one.
 */
export class QuotaCounter {
  readonly #options: QuotaCounterOptions;
  readonly #loop: WorkLoop;
  /** By namespace, then by name. */
  readonly #quotas = new Map<string, Map<string, Known>>();
  /** By key: when the pause after the last count ends. */
  readonly #pauses = new Map<string, number>();
  /** Keys of quotas that wait for the end of their pause. */
  readonly #postponed = new Set<string>();

  constructor(options: QuotaCounterOptions) {
    this.#options = options;
    const { clock, turns, logger, collections } = options;
    this.#loop = new WorkLoop({
      name: 'resourcequota',
      clock,
      turns,
      logger: logger.with({ controller: 'resourcequota' }),
      workers: 4,
      retryLimits,
      turn: (key) => this.#count(key),
    });
    this.#loop.start();
    collections.listen({
      changed: (kind, change) => this.#changed(kind, change),
      missed: () => this.#requeue(() => true),
      discovered: () => this.#requeue(({ isIncomplete }) => isIncomplete),
    });
  }

  /** Whether no quota is queued, running or failing. */
  get isAtRest(): boolean {
    return this.#postponed.size === 0 && this.#loop.isAtRest && this.#loop.failing === 0;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #changed(kind: Kind, change: ObjectChange): void {
    const { namespace } = change.key;
    if (namespace === undefined) return;
    if (kind.plural === kinds.quota.plural && kind.group === '') this.#quotaChanged(namespace, change);
    const quotas = this.#quotas.get(namespace);
    if (quotas !== undefined && (change.isGone || change.isLive)) this.#usageChanged(kind, change, quotas);
  }

  #quotaChanged(namespace: string, change: ObjectChange): void {
    const { key } = change;
    const quota = change.now();
    const quotas = this.#quotas.get(namespace) ?? new Map<string, Known>();
    if (quota === undefined) {
      quotas.delete(key.name);
      this.#pauses.delete(keyText(key));
      if (quotas.size === 0) this.#quotas.delete(namespace);
      return;
    }
    quotas.set(key.name, knownOf(key, quota));
    this.#quotas.set(namespace, quotas);
    // A change of usage alone is a charge, or a count of this controller.
    if (!isOnlyUsage(quota, change.old())) this.#loop.add(keyText(key));
  }

  #usageChanged(kind: Kind, change: ObjectChange, quotas: ReadonlyMap<string, Known>): void {
    const context = usageContext(change.key.namespace ?? '', this.#options);
    for (const { key, counted } of quotas.values()) {
      const count = countOf(counted, kind, context);
      if (count === undefined) continue;
      if (change.isGone) this.#countSoon(keyText(key));
      else if (count.evaluator.isPlainCount !== true) this.#compare(count, change, keyText(key), context);
    }
  }

  #compare(count: KindCount, change: ObjectChange, key: string, context: UsageContext): void {
    const now = change.now();
    const old = change.old();
    // The server has charged a new object.
    if (now === undefined || old === undefined) return;
    if (changesUsage(count, now, old, context)) this.#countSoon(key);
    const releaseAt = isPod(count.kind) ? podReleaseTime(now) : undefined;
    if (releaseAt !== undefined) this.#loop.addAfter(key, this.#delayUntil(releaseAt));
  }

  #countSoon(key: string): void {
    const pauseMs = (this.#pauses.get(key) ?? 0) - this.#options.clock.elapsed();
    if (pauseMs <= 0) return this.#loop.add(key);
    this.#postponed.add(key);
    this.#loop.addAfter(key, pauseMs);
  }

  #requeue(isDue: (known: Known) => boolean): void {
    for (const quotas of this.#quotas.values()) {
      for (const known of quotas.values()) if (isDue(known)) this.#loop.add(keyText(known.key));
    }
  }

  async #count(text: string): Promise<number | undefined> {
    const { client, clock, collections } = this.#options;
    const [namespace = '', name = ''] = text.split('/');
    const begin = clock.elapsed();
    this.#postponed.delete(text);
    const quota = await collections.get(kinds.quota, { namespace, name });
    if (quota === undefined) return undefined;
    const { used, releaseAt } = await countUsage(quota, namespace, this.#options);
    const end = clock.elapsed();
    this.#pauses.set(text, end + Math.min(Math.max(minPauseMs, (end - begin) / maxShare), maxPauseMs));
    const counted = decideStatus(quota, used);
    if (counted) await client.update(kinds.quota, counted, { subresource: 'status', fieldManager, identityOnly: true });
    return Math.min(resyncMs, this.#delayUntil(releaseAt));
  }

  #delayUntil(time: number): number {
    return Math.max(0, time - this.#options.clock.now()) + 1;
  }
}

function knownOf(key: ObjectKey, quota: Readonly<KubeObject>): Known {
  const fields = quota as unknown as QuotaFields;
  const counted = countedBy(fields);
  const isIncomplete = [...counted.names].some((name) => fields.status?.used?.[name] === undefined);
  return { key, counted, isIncomplete };
}

/** Whether only the usage of a quota differs from its previous state. */
function isOnlyUsage(quota: Readonly<KubeObject>, old: Readonly<KubeObject> | undefined): boolean {
  if (old === undefined) return false;
  return jsonEquals(withoutUsage(quota), withoutUsage(old));
}

function withoutUsage({ spec, status }: Readonly<KubeObject>): JsonObject {
  return { spec: spec ?? {}, hard: (status as JsonObject | undefined)?.['hard'] ?? {} };
}
