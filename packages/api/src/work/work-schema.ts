import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { placementCategories } from '../groups.ts';
import { applyStrategy, patchDetail, reportBackStrategy } from '../parts/apply-strategy.ts';
import { condition } from '../parts/condition.ts';
import { appliedWorks, works } from './work.ts';

export const workSpec = s.object('What the member shall run, and how it gets there.', {
  workload: s.optional(
    s.object('The objects.', {
      manifests: s.optional(s.list(s.anyObject('One object, whole.'), 'They are applied in waves, by kind.')),
    }),
  ),
  applyStrategy: s.optional(applyStrategy),
  reportBackStrategy: s.optional(reportBackStrategy),
});

/** The fields that identify an object of a Work; applied resources add a uid. */
export const identifierFields = {
  ordinal: s.integer('Position among the manifests, from 0.'),
  group: s.optional(s.string('API group; empty for core.')),
  version: s.optional(s.string('API version.')),
  kind: s.optional(s.string('Kind.')),
  resource: s.optional(s.string('Plural name of the kind, as in the path of a request.')),
  namespace: s.optional(s.string('Namespace; empty for objects of the whole cluster.')),
  name: s.optional(s.string('Name of the object.')),
} as const;

export const workResourceIdentifier = s.object('Which of the manifests this is about.', identifierFields);

export const driftDetails = s.object('What was changed on the member since it was applied.', {
  observationTime: s.dateTime('When the drift was last seen.'),
  observedInMemberClusterGeneration: s.integer('Generation of the object on the member at that time.', {
    format: 'int64',
  }),
  firstDriftedObservedTime: s.dateTime('Since when there is a drift without a break.'),
  observedDrifts: s.optional(s.list(patchDetail, 'The fields that drifted; long lists are cut.')),
});

export const diffDetails = s.object('How the object on the member differs from the one on the hub.', {
  observationTime: s.dateTime('When the difference was last seen.'),
  observedInMemberClusterGeneration: s.optional(
    s.integer('Generation of the object on the member at that time; absent where there is no object.', {
      format: 'int64',
    }),
  ),
  firstDiffedObservedTime: s.dateTime('Since when there is a difference without a break.'),
  observedDiffs: s.optional(s.list(patchDetail, 'The fields that differ; long lists are cut.')),
});

export const backReportedStatus = s.object('The status that the object has on the member.', {
  observedStatus: s.optional(s.anyObject('Kind, API version and status of the object.')),
  observationTime: s.dateTime('When the status was read.'),
});

export const manifestCondition = s.object('What became of one manifest.', {
  identifier: workResourceIdentifier,
  conditions: s.list(condition, 'Whether it is applied and available, or whether its difference is reported.'),
  driftDetails: s.optional(driftDetails),
  diffDetails: s.optional(diffDetails),
  backReportedStatus: s.optional(backReportedStatus),
});

export const workStatus = s.object('What became of it.', {
  conditions: s.list(condition, 'The manifests taken together.'),
  manifestConditions: s.optional(s.list(manifestCondition, 'Each manifest, in the order of the spec.')),
});

export const workDefinition = defineVersions(works, {
  description: 'Objects that one member shall run. Works are in the namespace of the member on the hub.',
  categories: placementCategories,
  fields: { spec: s.optional(workSpec), status: s.optional(workStatus) },
  subresources: { status: {} },
  versions: {
    v1: { lacks: ['spec.reportBackStrategy', 'status.manifestConditions[].backReportedStatus'] },
    v1beta1: {},
  },
});

export const appliedWorkSpec = s.object('Which Work this stands for; never changed.', {
  workName: s.string('Name of the Work on the hub.'),
  workNamespace: s.string('Namespace of the Work on the hub.'),
});

export const appliedResource = s.object('One object on the member.', {
  ...identifierFields,
  uid: s.optional(s.string('The uid it has on the member.')),
});

export const appliedWorkStatus = s.object('What is on the member because of the Work.', {
  appliedResources: s.optional(s.list(appliedResource, 'Every object that was applied and is still wanted.')),
});

export const appliedWorkDefinition = defineVersions(appliedWorks, {
  description: 'The owner of all objects that one Work brought to this member: they go when it goes.',
  categories: placementCategories,
  fields: { spec: appliedWorkSpec, status: s.optional(appliedWorkStatus) },
  subresources: { status: {} },
  versions: { v1: {}, v1beta1: {} },
});
