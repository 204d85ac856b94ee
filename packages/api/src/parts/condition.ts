import { s, type Infer } from '@flotilla/schema';

/** A metav1.Condition. Lists of conditions differ in how they merge. */
export const condition = s.object('One aspect of the state of this object.', {
  type: s.string('Which aspect: a word in CamelCase, or one with a domain in front.', {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
  status: s.oneOf(['True', 'False', 'Unknown'], 'Whether the aspect holds.'),
  observedGeneration: s.optional(
    s.integer('The generation that the condition speaks of; with a newer one it is out of date.', {
      format: 'int64',
      minimum: 0,
    }),
  ),
  lastTransitionTime: s.dateTime('When the status last changed to another one.'),
  reason: s.string('Why, in one word for programs.', {
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  }),
  message: s.string('Why, in a sentence for people; may be empty.', { maxLength: 32768 }),
});

export type Condition = Infer<typeof condition>;
