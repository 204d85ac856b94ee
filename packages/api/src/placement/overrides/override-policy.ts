import { s, type Infer } from '@flotilla/schema';
import { clusterSelector } from '../parts/cluster-selector.ts';

const jsonPatchOverride = s.object('One change, as RFC 6902 has it.', {
  op: s.oneOf(['add', 'remove', 'replace'], 'What is done.'),
  path: s.string('JSON pointer to the field.'),
  value: s.optional(
    s.anything(
      'The new value, for add and replace. In it ${MEMBER-CLUSTER-NAME} stands for the name of the cluster, and ${MEMBER-CLUSTER-LABEL-KEY-region} for its label region.',
    ),
  ),
});

const overrideRule = s.object('What changes on some clusters.', {
  clusterSelector: s.optional(
    clusterSelector('The clusters: none of them when absent, all of them when it has no terms.'),
  ),
  overrideType: s.withDefault(
    s.oneOf(['JSONPatch', 'Delete'], 'Whether the resource is changed there, or not placed there at all.'),
    'JSONPatch',
  ),
  jsonPatchOverrides: s.optional(
    s.list(jsonPatchOverride, 'The changes for JSONPatch, one after another.', { minItems: 1, maxItems: 20 }),
  ),
});

export const overridePolicy = s.object('What changes, and on which clusters.', {
  overrideRules: s.list(overrideRule, 'Each rule that fits the cluster is followed, in this order.', {
    minItems: 1,
    maxItems: 20,
  }),
});

export type OverridePolicy = Infer<typeof overridePolicy>;
export type OverrideRule = Infer<typeof overrideRule>;
export type JsonPatchOverride = Infer<typeof jsonPatchOverride>;
