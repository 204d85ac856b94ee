import { anonymous, authenticatedGroup, unauthenticatedGroup, type User } from '@flotilla/kube';

/** Which of a user's credentials was shown. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';

/** Everybody who is known is in one group more. */
export function knownUser(user: User): User {
  const { name, groups } = user;
  const isSaid = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return name === anonymous.name || isSaid ? user : { ...user, groups: [...groups, authenticatedGroup] };
}
