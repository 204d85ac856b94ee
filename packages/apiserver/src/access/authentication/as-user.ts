import type { ApiRequest, User } from '@flotilla/kube';

/** The same request in the name of somebody else; whatever comes after sees no trace of who sent it. */
export function asUser(request: ApiRequest, user: User): ApiRequest {
  const { method, path, query, headers } = request;
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-'));
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(kept),
    user,
    body: (limit, meter) => request.body(limit, meter),
    connection: request.connection,
    get signal() {
      return request.signal;
    },
  };
}
