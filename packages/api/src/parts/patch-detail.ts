import { s, type Infer } from '@flotilla/schema';

/** One field in which an object on the member is not as on the hub. */
export const patchDetail = s.object('One field that differs.', {
  path: s.string('Where it is, as a JSON pointer.'),
  valueInMember: s.optional(s.string('What the member has; absent where it has nothing there.')),
  valueInHub: s.optional(s.string('What the hub has; absent where it has nothing there.')),
});

export type PatchDetail = Infer<typeof patchDetail>;
