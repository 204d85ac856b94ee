import { s, type Infer } from '@flotilla/schema';
import { labelSelector } from './label-selector.ts';

/** Chooses objects on the hub. */
export const resourceSelector = s.object('Chooses objects of one kind, by name, by label, or all of them.', {
  group: s.string('API group; empty for the core group.'),
  kind: s.string('Kind of the objects.'),
  labelSelector: s.optional(labelSelector('Chooses the objects with these labels.')),
  name: s.optional(s.string('Chooses one object.')),
  selectionScope: s.withDefault(
    s.oneOf(
      ['NamespaceOnly', 'NamespaceWithResources', 'NamespaceWithResourceSelectors'],
      'What comes along with a selected Namespace: nothing, all that is in it, or those objects in it that the other selectors choose.',
    ),
    'NamespaceWithResources',
  ),
  version: s.string('API version.'),
});

export type ResourceSelector = Infer<typeof resourceSelector>;
