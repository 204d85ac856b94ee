import { s, type Infer } from '@flotilla/schema';

export const namespacedName = s.object('Names one object.', {
  name: s.string('Its name.'),
  namespace: s.string('Its namespace.'),
});

export type NamespacedName = Infer<typeof namespacedName>;
