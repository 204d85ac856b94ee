/** How statuses name a resource, and the envelope that it came in. */
import { s, type Fields, type Infer } from '@flotilla/schema';

const envelopeReference = s.object('The envelope that the resource was wrapped in.', {
  name: s.string('Name of the envelope.'),
  namespace: s.optional(s.string('Namespace of the envelope; absent for a cluster-scoped one.')),
  type: s.withDefault(
    s.oneOf(['ConfigMap', 'ClusterResourceEnvelope', 'ResourceEnvelope'], 'Kind of the envelope.'),
    'ConfigMap',
  ),
});

/** The fields that name a resource; what is told of it stands beside them. */
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
 * How resources are named otherwise in v1, for the lists at these paths: there a ConfigMap is no envelope, so that nothing can
 * be assumed where the type is left out.
 */
export function resourcesInV1(...lists: readonly string[]): Fields {
  return Object.fromEntries(lists.map((path) => [`${path}[].envelope.type`, envelopeTypeV1]));
}

export type EnvelopeReference = Infer<typeof envelopeReference>;
export type PlacedResource = Infer<typeof placedResource>;
