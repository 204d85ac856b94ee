/** Empties a cluster, as `kubectl drain` empties a node: waits for budgets and for the resources to disappear. */
import {
  clusterResourceBindings,
  clusterResourcePlacementEvictions,
  clusterResourcePlacements,
  resourceBindings,
  type Binding,
} from '@flotilla/api';
import { ignoreNotFound } from '@flotilla/kube';
import { inParallel, pause } from '@flotilla/timing';
import { UserError } from '../../user-error.ts';
import type { Session } from '../../session/session.ts';
import { watchUntil } from '../watch-until.ts';
import { cordon } from './cordon.ts';
import { evict, requestsAtOnce, type Verdict } from './evict.ts';
import { placedHere, type PlacedHere } from './placed-here.ts';

/** As long as kubectl waits before it tries an eviction again. */
const retryAfterMs = 5000;

/** What the scheduler did before it knew of the taint needs a second round. What is there after that comes back every time. */
const maxRounds = 2;

export async function drain(session: Session, cluster: string): Promise<void> {
  const { print, signal } = session;
  await cordon(session, cluster);
  print(`membercluster/${cluster} cordoned`);
  let here = await lookAt(session, cluster);
  for (const one of here.kept) print(`cannot evict ${one}`);
  const drained = new Drained(session, cluster);
  try {
    for (let round = 1; round <= maxRounds && here.bindings.length > 0; round++) {
      await drained.evictAll(here.evictable);
      await drained.untilRemoved(here.bindings);
      here = await lookAt(session, cluster);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const hint = 'run the command again, or raise --timeout to wait longer.';
    throw new UserError(`membercluster/${cluster} is not drained in time: ${drained.open()}; ${hint}`, {
      cause: error,
    });
  }
  for (const one of here.evictable)
    print(`clusterresourceplacement/${one} has come back: it tolerates the cordon taint`);
  const left = here.kept.length + here.evictable.length;
  if (left > 0)
    throw new UserError(`membercluster/${cluster} is not drained: ${left} placement${left === 1 ? '' : 's'} left.`);
  print(`membercluster/${cluster} drained`);
}

async function lookAt({ hub, signal }: Session, cluster: string): Promise<PlacedHere> {
  const [clusterBindings, clusterPlacements, namespacedBindings] = await Promise.all([
    hub.list(clusterResourceBindings, { signal }),
    hub.list(clusterResourcePlacements, { signal }),
    hub.list(resourceBindings, { signal }),
  ]);
  return placedHere(cluster, {
    clusterBindings: clusterBindings.items,
    clusterPlacements: clusterPlacements.items,
    namespacedBindings: namespacedBindings.items,
  });
}

/** The progress of a drain. */
class Drained {
  readonly #session: Session;
  readonly #cluster: string;
  #waiting: readonly string[] = [];
  /** By placement: why it was not evicted the last time. */
  readonly #refused = new Map<string, string>();

  constructor(session: Session, cluster: string) {
    this.#session = session;
    this.#cluster = cluster;
  }

  /** What the drain still waits for. */
  open(): string {
    const refused = [...this.#refused].map(([placement, message]) => `${placement}: ${message}`);
    return refused.length > 0 ? refused.join('; ') : `still there: ${this.#waiting.join(', ')}`;
  }

  /** Tries again what a budget forbids, until it allows it. */
  async evictAll(placements: readonly string[]): Promise<void> {
    const { clock, print, signal } = this.#session;
    for (const placement of placements) print(`evicting clusterresourceplacement/${placement}`);
    this.#waiting = placements;
    while (this.#waiting.length > 0) {
      const verdicts = await evict(this.#session, this.#cluster, this.#waiting);
      for (const verdict of verdicts) this.#report(verdict);
      const refused = verdicts.filter(({ outcome }) => outcome === 'refused');
      this.#waiting = refused.map(({ placement }) => placement);
      if (refused.length === 0) return;
      await pause(clock, retryAfterMs, signal);
      signal.throwIfAborted();
      await inParallel(refused, requestsAtOnce, (verdict) => this.#forget(verdict));
    }
  }

  /** The members' agents remove the resources, then the bindings go. */
  async untilRemoved(bindings: readonly Binding[]): Promise<void> {
    let open = bindings;
    await watchUntil(this.#session, clusterResourceBindings, (left) => {
      open = open.filter(({ metadata: { name = '', uid } }) => left.get(name)?.metadata.uid === uid);
      this.#waiting = open.map(({ metadata }) => metadata.name ?? '');
      return open.length === 0;
    });
  }

  #report({ placement, outcome, message }: Verdict): void {
    const { print } = this.#session;
    if (outcome !== 'refused') {
      this.#refused.delete(placement);
      print(`clusterresourceplacement/${placement} evicted`);
    } else if (this.#refused.get(placement) !== message) {
      this.#refused.set(placement, message);
      print(`clusterresourceplacement/${placement} not evicted, trying again: ${message}`);
    }
  }

  /** The next eviction takes its place: a long wait must not leave hundreds of them. */
  async #forget({ eviction }: Verdict): Promise<void> {
    const { hub, signal } = this.#session;
    await hub.delete(clusterResourcePlacementEvictions, { name: eviction }, { signal }).catch(ignoreNotFound);
  }
}
