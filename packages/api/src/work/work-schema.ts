import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { placementCategories } from '../groups.ts';
import { applyStrategy, patchDetail, reportBackStrategy } from '../parts/apply-strategy.ts';
import { condition } from '../parts/condition.ts';
import { appliedWorks, works } from './work.ts';

export const workSpec = s.object('The manifests for the member, and how to apply them.', {
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
  namespace: s.optional(s.string('Namespace; empty for cluster-scoped objects.')),
  name: s.optional(s.string('Name of the object.')),
} as const;

export const workResourceIdentifier = s.object('Identifies one of the manifests.', identifierFields);

export const driftDetails = s.object('Changes on the member since it was applied.', {
  observationTime: s.dateTime('When the drift was last observed.'),
  observedInMemberClusterGeneration: s.integer('Generation of the object on the member at that time.', {
    format: 'int64',
  }),
  firstDriftedObservedTime: s.dateTime('When the current drift was first observed.'),
  observedDrifts: s.optional(s.list(patchDetail, 'The fields that drifted; long lists are truncated.')),
});

export const diffDetails = s.object('How the object on the member differs from the one on the hub.', {
  observationTime: s.dateTime('When the difference was last observed.'),
  observedInMemberClusterGeneration: s.optional(
    s.integer('Generation of the object on the member at that time; absent if there is no object.', {
      format: 'int64',
    }),
  ),
  firstDiffedObservedTime: s.dateTime('When the current difference was first observed.'),
  observedDiffs: s.optional(s.list(patchDetail, 'The fields that differ; long lists are truncated.')),
});

export const backReportedStatus = s.object('The status that the object has on the member.', {
  observedStatus: s.optional(s.anyObject('Kind, API version and status of the object.')),
  observationTime: s.dateTime('When the status was read.'),
});

export const manifestCondition = s.object('Status of one manifest.', {
  identifier: workResourceIdentifier,
  conditions: s.list(condition, 'Whether it is applied and available, or its difference reported.'),
  driftDetails: s.optional(driftDetails),
  diffDetails: s.optional(diffDetails),
  backReportedStatus: s.optional(backReportedStatus),
});

export const workStatus = s.object('Status of the manifests.', {
  conditions: s.list(condition, 'Conditions of all manifests together.'),
  manifestConditions: s.optional(s.list(manifestCondition, 'Each manifest, in the order of the spec.')),
});

export const workDefinition = defineVersions(works, {
  description: 'Objects for one member. Works are in the namespace of the member on the hub.',
  categories: placementCategories,
  fields: { spec: s.optional(workSpec), status: s.optional(workStatus) },
  subresources: { status: {} },
  versions: {
    v1: { lacks: ['spec.reportBackStrategy', 'status.manifestConditions[].backReportedStatus'] },
    v1beta1: {},
  },
});

export const appliedWorkSpec = s.object('The Work on the hub; immutable.', {
  workName: s.string('Name of the Work on the hub.'),
  workNamespace: s.string('Namespace of the Work on the hub.'),
});

export const appliedResource = s.object('One object on the member.', {
  ...identifierFields,
  uid: s.optional(s.string('UID on the member.')),
});

export const appliedWorkStatus = s.object('The objects of the Work on the member.', {
  appliedResources: s.optional(s.list(appliedResource, 'Every object that was applied and is still in the Work.')),
});

export const appliedWorkDefinition = defineVersions(appliedWorks, {
  description: 'The owner of all objects of one Work on this member: they are deleted with it.',
  categories: placementCategories,
  fields: { spec: appliedWorkSpec, status: s.optional(appliedWorkStatus) },
  subresources: { status: {} },
  versions: { v1: {}, v1beta1: {} },
});
