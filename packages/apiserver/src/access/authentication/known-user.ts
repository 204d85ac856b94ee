import type { User } from '@flotilla/kube';

/** Who nobody vouches for. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';

/** Which of a user's credentials was shown. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';

/** Everybody who is known is in one group more. */
export function knownUser(user: User): User {
  const { name, groups } = user;
  const isSaid = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return name === anonymous.name || isSaid ? user : { ...user, groups: [...groups, authenticatedGroup] };
}
