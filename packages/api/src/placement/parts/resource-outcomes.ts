/** What failed, drifted or differs on one cluster. Bindings say it first, and placements repeat it for each cluster. */
import { s, type Fields, type Infer } from '@flotilla/schema';
import { condition } from '../../parts/condition.ts';
import { patchDetail } from '../../parts/patch-detail.ts';
import { resourceFields, resourcesInV1 } from './placed-resource.ts';

export const failedPlacement = s.object('A resource that could not be placed.', { ...resourceFields, condition });

export const driftedPlacement = s.object('A resource that somebody changed on the cluster.', {
  ...resourceFields,
  observationTime: s.dateTime('When the drift was last seen.'),
  targetClusterObservedGeneration: s.integer('Generation of the object on the cluster at that time.', {
    format: 'int64',
  }),
  firstDriftedObservedTime: s.dateTime('Since when there is a drift without a break.'),
  observedDrifts: s.optional(s.list(patchDetail, 'The fields that drifted.')),
});

export const diffedPlacement = s.object('A resource that is not the same on the hub and on the cluster.', {
  ...resourceFields,
  observationTime: s.dateTime('When the difference was last seen.'),
  targetClusterObservedGeneration: s.optional(
    s.integer('Generation of the object on the cluster at that time; absent where there is no object.', {
      format: 'int64',
    }),
  ),
  firstDiffedObservedTime: s.dateTime('Since when there is a difference without a break.'),
  observedDiffs: s.optional(s.list(patchDetail, 'The fields that differ.')),
});

/** A status has to stay small, however many resources fail. */
const atMost = { maxItems: 100 };

export const resourceOutcomes = {
  failedPlacements: s.optional(s.list(failedPlacement, 'Resources that could not be placed, the first 100.', atMost)),
  driftedPlacements: s.optional(s.list(driftedPlacement, 'Resources that drifted, the first 100.', atMost)),
  diffedPlacements: s.optional(s.list(diffedPlacement, 'Resources that differ, the first 100.', atMost)),
} as const;

/** Their difference in v1, for the outcomes below this path. */
export function outcomesInV1(path: string): Fields {
  return resourcesInV1(...Object.keys(resourceOutcomes).map((list) => `${path}.${list}`));
}

export type FailedPlacement = Infer<typeof failedPlacement>;
export type DriftedPlacement = Infer<typeof driftedPlacement>;
export type DiffedPlacement = Infer<typeof diffedPlacement>;
