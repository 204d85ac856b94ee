import { s, type ObjectOf, type TypedSchema } from '@flotilla/schema';

const requirement = s.object('One demand on the labels.', {
  key: s.string('The label that is asked about.'),
  operator: s.string('In, NotIn, Exists or DoesNotExist.'),
  values: s.optional(
    s.list(s.string('One value.'), 'At least one for In and NotIn, none for the others.', { atomic: true }),
  ),
});

const selectorFields = {
  matchExpressions: s.optional(
    s.list(requirement, 'Demands on the labels; every one has to be met.', { atomic: true }),
  ),
  matchLabels: s.optional(s.map(s.string('The value it must have.'), 'Labels that must have exactly these values.')),
};

/** `metav1.LabelSelector`: an empty one selects everything. */
export function labelSelector(description: string): TypedSchema<ObjectOf<typeof selectorFields>> {
  return s.object(description, selectorFields, { atomic: true });
}
