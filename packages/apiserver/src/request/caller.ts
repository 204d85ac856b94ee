import type { ApiRequest, User } from '@flotilla/kube';

const anonymous: User = { name: '', groups: [] };

/** The user in whose name a request is answered. */
export function userOf({ request }: { readonly request: Pick<ApiRequest, 'user'> }): User {
  return request.user ?? anonymous;
}
