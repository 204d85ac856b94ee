/** Schemas that several kinds of OCM share. */
import { s } from '@flotilla/schema';
import { requirement } from '../placement/parts/selectors.ts';

/** A name with an optional domain as prefix, as for labels. */
export const qualifiedName = {
  maxLength: 316,
  pattern:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
} as const;

export const taintEffects = ['NoSelect', 'PreferNoSelect', 'NoSelectIfNew'] as const;

export const managedClusterTaint = s.object('Repels Placements that do not tolerate it.', {
  key: s.string('Key that tolerations refer to.', qualifiedName),
  value: s.optional(s.string('Value that tolerations may compare.', { maxLength: 1024 })),
  effect: s.oneOf(
    taintEffects,
    'NoSelect removes the cluster from decisions, NoSelectIfNew keeps it where it is selected, PreferNoSelect only warns.',
  ),
  timeAdded: s.nullable(s.dateTime('When the taint was added; set by the server.')),
});

/** Like a label selector, over the claims of a cluster. */
export const claimSelector = s.object('Requirements for the claims of the cluster.', {
  matchExpressions: s.optional(s.list(requirement, 'Requirements for claims; all must be met.')),
});

/** A name of a namespace on members. */
export const namespaceName = { maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' } as const;
