import { s, type Infer, type ObjectOf, type TypedSchema } from '@flotilla/schema';

/** A requirement of a label selector. */
export const requirement = s.object('One requirement for labels.', {
  key: s.string('Key of the label.'),
  operator: s.string('In, NotIn, Exists or DoesNotExist.'),
  values: s.optional(
    s.list(s.string('One value.'), 'At least one for In and NotIn, none for the others.', { atomic: true }),
  ),
});

const selectorFields = {
  matchExpressions: s.optional(s.list(requirement, 'Requirements for labels; all must be met.', { atomic: true })),
  matchLabels: s.optional(s.map(s.string('The value it must have.'), 'Labels that must have exactly these values.')),
};

/** `metav1.LabelSelector`: an empty one selects everything. */
export function labelSelector(description: string): TypedSchema<ObjectOf<typeof selectorFields>> {
  return s.object(description, selectorFields, { atomic: true });
}

const propertyRequirement = s.object('One requirement for a property of the cluster.', {
  name: s.string('Name of the property.'),
  operator: s.string('Gt, Ge, Lt, Le, Eq or Ne: how the reported quantity must compare with the value.'),
  values: s.list(s.string('A quantity, such as 4 or 16Gi.'), 'The quantity to compare with: exactly one.', {
    maxItems: 1,
  }),
});

const propertySelector = s.object('Requirements for properties of the cluster; not in preferences.', {
  matchExpressions: s.list(propertyRequirement, 'Requirements for properties; all must be met.'),
});

const propertySorter = s.object(
  'Distributes the weight of a preference by a property: all of it to the best cluster, nothing to the worst.',
  {
    name: s.string('Name of the property.'),
    sortOrder: s.oneOf(
      ['Ascending', 'Descending'],
      'Ascending: the best cluster has the least of the property. Descending: it has the most.',
    ),
  },
);

export const clusterSelectorTerm = s.object('Matches clusters that meet all requirements.', {
  labelSelector: s.optional(labelSelector('Requirements for the labels of the MemberCluster.')),
  propertySelector: s.optional(propertySelector),
  propertySorter: s.optional(propertySorter),
});

const clusterSelectorFields = {
  clusterSelectorTerms: s.list(clusterSelectorTerm, 'Selects a cluster if any term matches it.', { maxItems: 10 }),
};

export function clusterSelector(description: string): TypedSchema<ClusterSelector> {
  return s.object(description, clusterSelectorFields);
}

export type ClusterSelectorTerm = Infer<typeof clusterSelectorTerm>;
export type ClusterSelector = ObjectOf<typeof clusterSelectorFields>;
export type PropertyRequirement = Infer<typeof propertyRequirement>;
export type PropertySorter = Infer<typeof propertySorter>;

export const resourceSelector = s.object('Selects objects of one kind, by name, by label, or all of them.', {
  group: s.string('API group; empty for the core group.'),
  kind: s.string('Kind of the objects.'),
  labelSelector: s.optional(labelSelector('Selects objects with these labels.')),
  name: s.optional(s.string('Selects one object.')),
  selectionScope: s.withDefault(
    s.oneOf(
      ['NamespaceOnly', 'NamespaceWithResources', 'NamespaceWithResourceSelectors'],
      'What to place with a selected Namespace: nothing else, all objects in it, or those objects in it that the other selectors match.',
    ),
    'NamespaceWithResources',
  ),
  version: s.string('API version.'),
});

export type ResourceSelector = Infer<typeof resourceSelector>;
