import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { placementCategories } from '../groups.ts';
import { clusterResourceEnvelopes, resourceEnvelopes } from './resource-envelope.ts';

export const envelopeData = s.map(
  s.anyFields('One object, whole.'),
  'The wrapped objects, each under an arbitrary key.',
  { minProperties: 1, maxProperties: 50 },
);

const declared = { categories: placementCategories, fields: { data: envelopeData }, versions: { v1beta1: {} } };

export const clusterResourceEnvelopeDefinition = defineVersions(clusterResourceEnvelopes, {
  ...declared,
  description: 'Wraps cluster-scoped objects, so that they take effect on clusters and not on the hub.',
});

export const resourceEnvelopeDefinition = defineVersions(resourceEnvelopes, {
  ...declared,
  description: 'Wraps objects of its own namespace, so that they take effect on clusters and not on the hub.',
});
