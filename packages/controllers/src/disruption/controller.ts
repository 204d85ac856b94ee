import {
  clusterFamily,
  clusterResourcePlacementDisruptionBudgets,
  clusterResourcePlacementEvictions,
  type Eviction,
} from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { Cache, Controller, Indexes, Watched } from '@flotilla/runtime';
import { arrivalMs } from '../family/arrival.ts';
import { byPlacement, ofPlacement } from '../family/placement-key.ts';
import { decideEvictions, endOf, type EvictionState } from './decide.ts';

export interface EvictionSettings {
  /** How long evictions stay after they are decided; 0 if forever. */
  readonly ttlMs: number;
}

const placementIndex = 'placement of an eviction';

const byEvictedPlacement: Indexes = { [placementIndex]: (object) => [(object as Eviction).spec.placementName] };

/** An eviction takes three writes in a row. Those of a drained cluster should not wait for each other. */
const workers = 16;

const nothing: Watched['concerns'] = () => [];

/** Evicts cluster-scoped placements from clusters. Its keys are placements: the evictions of one share a budget. */
export function evictionController({ ttlMs }: EvictionSettings): Controller<EvictionState> {
  const { placement, binding } = clusterFamily;
  return {
    name: 'clusterresourceplacementeviction-controller',
    workers,
    watches: [
      {
        kind: clusterResourcePlacementEvictions,
        concerns: itsPlacementIfOpen,
        indexes: byEvictedPlacement,
        afterMs: () => arrivalMs,
      },
      { kind: placement, concerns: nothing },
      { kind: binding, concerns: nothing, indexes: byPlacement },
      { kind: clusterResourcePlacementDisruptionBudgets, concerns: nothing },
    ],
    observe: (key, cache) => observeEvictions(key, cache, ttlMs),
    decide: decideEvictions,
  };
}

/** A decided one counts once: when it goes is not known before. */
const itsPlacementIfOpen: Watched['concerns'] = (now, old) => {
  if (now === undefined) return [];
  const eviction = now as Eviction;
  const wasDecided = old !== undefined && endOf(old as Eviction) !== undefined;
  return wasDecided ? [] : [{ name: eviction.spec.placementName }];
};

function observeEvictions(key: ObjectKey, cache: Cache, ttlMs: number): EvictionState | undefined {
  const evictions = cache.indexed(clusterResourcePlacementEvictions, placementIndex, key.name);
  if (evictions.length === 0) return undefined;
  return {
    family: clusterFamily,
    placement: cache.get(clusterFamily.placement, key),
    bindings: ofPlacement(cache, clusterFamily.binding, key),
    budget: cache.get(clusterResourcePlacementDisruptionBudgets, key),
    evictions: evictions.toSorted((a, b) => createdAt(a) - createdAt(b)),
    ttlMs,
  };
}

function createdAt({ metadata }: Readonly<Eviction>): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
