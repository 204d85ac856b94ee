import { apiServerUser, patchTypes, type ApiHandler, type ApiRequest, type JsonObject } from '@flotilla/kube';

/** Returns the status. Throws unless it is 2xx or 409. */
export async function send(handle: ApiHandler, request: ApiRequest): Promise<number> {
  const { status, body } = await handle(request);
  if (status < 300 || status === 409) return status;
  throw new Error(
    `${request.method} ${request.path}: ${body instanceof Uint8Array ? Buffer.from(body).toString() : status}`,
  );
}

/** Path and store collection of APIServices. */
export const apiServicesPath = '/apis/apiregistration.k8s.io/v1/apiservices';
export const apiServicesCollection = 'apiservices.apiregistration.k8s.io';

const never = new AbortController().signal;

/** A request of the server to itself, as `system:apiserver`. */
export function serverRequest(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { query = '', object }: { readonly query?: string; readonly object?: JsonObject } = {},
): ApiRequest {
  const contentType = method === 'PATCH' ? patchTypes.apply : 'application/json';
  return {
    method,
    path,
    query,
    headers: { 'user-agent': 'kube-apiserver', 'content-type': contentType },
    user: apiServerUser,
    body: () => Promise.resolve(object ? Buffer.from(JSON.stringify(object)) : new Uint8Array()),
    signal: never,
  };
}
