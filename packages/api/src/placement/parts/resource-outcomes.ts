/** What failed, drifted or differs on one cluster. Bindings report it, and placements repeat it for each cluster. */
import { s, type Fields, type Infer } from '@flotilla/schema';
import { condition } from '../../parts/condition.ts';
import { patchDetail } from '../../parts/apply-strategy.ts';

/** How statuses identify a resource, and its envelope. */
const envelopeReference = s.object('The envelope that contained the resource.', {
  name: s.string('Name of the envelope.'),
  namespace: s.optional(s.string('Namespace of the envelope; absent for a cluster-scoped one.')),
  type: s.withDefault(
    s.oneOf(['ConfigMap', 'ClusterResourceEnvelope', 'ResourceEnvelope'], 'Kind of the envelope.'),
    'ConfigMap',
  ),
});

export const resourceFields = {
  group: s.optional(s.string('API group; absent for the core group.')),
  version: s.string('API version.'),
  kind: s.string('Kind.'),
  namespace: s.optional(s.string('Namespace; absent for a cluster-scoped resource.')),
  name: s.string('Name of the resource.'),
  envelope: s.optional(envelopeReference),
} as const;

export const placedResource = s.object('One resource.', resourceFields);

const envelopeTypeV1 = s.optional(s.oneOf(['ClusterResourceEnvelope', 'ResourceEnvelope'], 'Kind of the envelope.'));

/**
 * The differences in v1, for the lists at these paths: a ConfigMap is no envelope there, so the type has no default.
 */
export function resourcesInV1(...lists: readonly string[]): Fields {
  return Object.fromEntries(lists.map((path) => [`${path}[].envelope.type`, envelopeTypeV1]));
}

export type EnvelopeReference = Infer<typeof envelopeReference>;
export type PlacedResource = Infer<typeof placedResource>;

export const failedPlacement = s.object('A resource that could not be placed.', { ...resourceFields, condition });

export const driftedPlacement = s.object('A resource that was changed on the cluster.', {
  ...resourceFields,
  observationTime: s.dateTime('When the drift was last observed.'),
  targetClusterObservedGeneration: s.integer('Generation of the object on the cluster at that time.', {
    format: 'int64',
  }),
  firstDriftedObservedTime: s.dateTime('When the current drift was first observed.'),
  observedDrifts: s.optional(s.list(patchDetail, 'The fields that drifted.')),
});

export const diffedPlacement = s.object('A resource that differs between the hub and the cluster.', {
  ...resourceFields,
  observationTime: s.dateTime('When the difference was last observed.'),
  targetClusterObservedGeneration: s.optional(
    s.integer('Generation of the object on the cluster at that time; absent if there is no object.', {
      format: 'int64',
    }),
  ),
  firstDiffedObservedTime: s.dateTime('When the current difference was first observed.'),
  observedDiffs: s.optional(s.list(patchDetail, 'The fields that differ.')),
});

/** Limits the size of a status, however many resources fail. */
const atMost = { maxItems: 100 };

export const resourceOutcomes = {
  failedPlacements: s.optional(s.list(failedPlacement, 'Resources that could not be placed, the first 100.', atMost)),
  driftedPlacements: s.optional(s.list(driftedPlacement, 'Resources that drifted, the first 100.', atMost)),
  diffedPlacements: s.optional(s.list(diffedPlacement, 'Resources that differ, the first 100.', atMost)),
} as const;

/** The differences in v1, for the outcomes below this path. */
export function outcomesInV1(path: string): Fields {
  return resourcesInV1(...Object.keys(resourceOutcomes).map((list) => `${path}.${list}`));
}

export type FailedPlacement = Infer<typeof failedPlacement>;
export type DriftedPlacement = Infer<typeof driftedPlacement>;
export type DiffedPlacement = Infer<typeof diffedPlacement>;
