import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { placementCategories } from '../parts/placement-categories.ts';
import { appliedWorks } from './applied-work.ts';
import { identifierFields } from './work-schema.ts';

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
