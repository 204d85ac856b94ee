import { s, type Infer } from '@flotilla/schema';

/** A metav1.Condition. Lists of conditions differ in how they merge. */
export const condition = s.object('One aspect of the state of this object.', {
  type: s.string('Type of the condition in CamelCase, optionally with a domain as prefix.', {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
  status: s.oneOf(['True', 'False', 'Unknown'], 'Whether the aspect holds.'),
  observedGeneration: s.optional(
    s.integer('The observed generation. If the object has a newer one, the condition is outdated.', {
      format: 'int64',
      minimum: 0,
    }),
  ),
  lastTransitionTime: s.dateTime('When the status last changed.'),
  reason: s.string('Reason in CamelCase, for programs.', {
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  }),
  message: s.string('Why, as text for people; may be empty.', { maxLength: 32768 }),
});

export type Condition = Infer<typeof condition>;
