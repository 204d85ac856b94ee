import type { ApiHandler, ApiRequest, JsonObject } from '@flotilla/kube';
import { textOf } from '../resources/object-bytes.ts';

/** An object that the server makes when it is missing. */
export interface FirstObject {
  /** The collection's path. */
  readonly path: string;
  readonly object: JsonObject & { readonly metadata: JsonObject & { readonly name: string } };
  /** Who owns its fields; kube-apiserver when nothing is said. */
  readonly manager?: string;
  /** Applied afterwards, as one of kube-apiserver's own controllers would. */
  readonly status?: { readonly manager: string; readonly status: JsonObject };
}

/** A client that looks first, so that a second start writes nothing. */
export async function ensure(handle: ApiHandler, { path, object, manager, status }: FirstObject): Promise<void> {
  const target = `${path}/${object.metadata.name}`;
  const found = await handle(requestOf('GET', target));
  if (found.status === 200) return;
  const query = `fieldManager=${manager ?? 'kube-apiserver'}`;
  const created = await send(handle, requestOf('POST', path, { query, object }));
  if (created === 409 || status === undefined) return;
  const { apiVersion, kind, metadata } = object;
  const applied = { apiVersion, kind, metadata: { name: metadata.name }, status: status.status } as JsonObject;
  const statusQuery = `fieldManager=${status.manager}&force=true`;
  await send(handle, requestOf('PATCH', `${target}/status`, { query: statusQuery, object: applied }));
}

async function send(handle: ApiHandler, request: ApiRequest): Promise<number> {
  const { status, body } = await handle(request);
  if (status < 300 || status === 409) return status;
  throw new Error(`${request.method} ${request.path}: ${body instanceof Uint8Array ? textOf(body) : status}`);
}

const never = new AbortController().signal;

function requestOf(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { query = '', object }: { readonly query?: string; readonly object?: JsonObject } = {},
): ApiRequest {
  const contentType = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json';
  return {
    method,
    path,
    query,
    headers: { 'user-agent': 'kube-apiserver', 'content-type': contentType },
    user: { name: 'system:apiserver', groups: ['system:masters'] },
    body: () => Promise.resolve(object ? Buffer.from(JSON.stringify(object)) : new Uint8Array()),
    signal: never,
  };
}
