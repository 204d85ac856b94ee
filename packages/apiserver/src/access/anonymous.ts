import { apiErrors, type ApiRequest, type User } from '@flotilla/kube';

/** Who nobody vouches for. */
export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Who brings nothing to be known by is anonymous; who brings something that is not true is nobody. */
export function requester({ user, headers }: Pick<ApiRequest, 'user' | 'headers'>): User {
  if (user !== undefined) return user;
  if (headers['authorization'] !== undefined) throw apiErrors.unauthorized();
  return anonymous;
}
