/** How often Placements of all namespaces have selected each cluster, kept up to date with each change of a PlacementDecision. */
import { ocmPlacementLabel, placementDecisions, type PlacementDecision } from '@flotilla/api';
import { keyText, once, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { DecisionCounts } from '@flotilla/ocm';
import type { Cache, Indexes } from '@flotilla/runtime';

const placementIndex = 'placement';
const allIndex = 'all';

/** For `indexes` of PlacementDecisions. */
export const byOcmPlacement: Indexes = {
  [placementIndex]: (object) => {
    const key = placementOfDecision(object);
    return key === undefined ? [] : [keyText(key)];
  },
  [allIndex]: () => [''],
};

export function decisionsOf(cache: Cache, placement: ObjectKey): readonly Readonly<PlacementDecision>[] {
  return cache.indexed(placementDecisions, placementIndex, keyText(placement));
}

/** The Placement in the label; undefined if there is none. */
export function placementOfDecision({ metadata }: Readonly<KubeObject>): ObjectKey | undefined {
  const { namespace, labels = {} } = metadata;
  const name = Object.hasOwn(labels, ocmPlacementLabel) ? labels[ocmPlacementLabel] : '';
  return name === undefined || name === '' ? undefined : { namespace, name };
}

interface Entry {
  readonly placement: string;
  readonly clusters: readonly string[];
}

export class DecisionLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #totals = new Map<string, number>();
  readonly #byPlacement = new Map<string, Map<string, number>>();

  /** Call for every change, in order. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
    const key = keyText({ namespace, name });
    const before = this.#entries.get(key);
    if (before !== undefined) this.#count(before, -1);
    if (now === undefined) {
      this.#entries.delete(key);
      return;
    }
    const placement = placementOfDecision(now);
    const decisions = (now as Readonly<PlacementDecision>).status?.decisions ?? [];
    const entry = {
      placement: placement === undefined ? '' : keyText(placement),
      clusters: decisions.map(({ clusterName }) => clusterName),
    };
    this.#entries.set(key, entry);
    this.#count(entry, 1);
  }

  /** What other Placements have selected. */
  elsewhere(placement: ObjectKey): DecisionCounts {
    const own = this.#byPlacement.get(keyText(placement));
    const countOf = (cluster: string): number => (this.#totals.get(cluster) ?? 0) - (own?.get(cluster) ?? 0);
    const largest = once(() => {
      let max = 0;
      for (const [cluster, total] of this.#totals) max = Math.max(max, total - (own?.get(cluster) ?? 0));
      return max;
    });
    return { countOf, largest };
  }

  /** An informer that had to start anew reports what exists, and not what has gone. */
  check(cache: Cache): void {
    if (this.#entries.size === cache.count(placementDecisions, allIndex, '')) return;
    for (const map of [this.#entries, this.#totals, this.#byPlacement]) map.clear();
    for (const decision of cache.list(placementDecisions)) this.changed(decision, undefined);
  }

  #count({ placement, clusters }: Entry, change: 1 | -1): void {
    const own = this.#byPlacement.get(placement) ?? new Map<string, number>();
    for (const cluster of clusters) {
      add(this.#totals, cluster, change);
      add(own, cluster, change);
    }
    if (own.size === 0) this.#byPlacement.delete(placement);
    else this.#byPlacement.set(placement, own);
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
