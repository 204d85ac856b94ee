import type { ApiRequest, User } from '@flotilla/kube';

const anonymous: User = { name: '', groups: [] };

/** The user of a request, after impersonation. */
export function userOf({ request }: { readonly request: Pick<ApiRequest, 'user'> }): User {
  return request.user ?? anonymous;
}
