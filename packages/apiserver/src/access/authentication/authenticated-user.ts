import { anonymous, authenticatedGroup, unauthenticatedGroup, type User } from '@flotilla/kube';

/** Key in `extra` for the credential that the user authenticated with. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';

/** Adds `system:authenticated`, unless the user is anonymous or already has one of the common groups. */
export function authenticatedUser(user: User): User {
  const { name, groups } = user;
  const hasCommonGroup = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return name === anonymous.name || hasCommonGroup ? user : { ...user, groups: [...groups, authenticatedGroup] };
}
