import { formatTime, type ApiHandler, type JsonObject } from '@flotilla/kube';
import { send, serverRequest } from './server-request.ts';

/** An object that the server creates at start if it is missing. */
export interface BootstrapObject {
  /** The collection's path. */
  readonly path: string;
  readonly object: JsonObject & { readonly metadata: JsonObject & { readonly name: string } };
  /** The field manager; by default kube-apiserver. */
  readonly manager?: string;
  /** Applied to the status afterwards, as one of kube-apiserver's own controllers would. */
  readonly condition?: { readonly manager: string; readonly condition: JsonObject };
}

/** Reads first, so that a restart writes nothing. */
export async function ensureObject(handle: ApiHandler, first: BootstrapObject, now: Date): Promise<void> {
  const { path, object, manager = 'kube-apiserver', condition } = first;
  const found = await handle(serverRequest('GET', `${path}/${object.metadata.name}`));
  if (found.status === 200) return;
  const created = await send(handle, serverRequest('POST', path, { query: `fieldManager=${manager}`, object }));
  if (created === 201 && condition !== undefined) await applyCondition(handle, first, condition, now);
}

/** Applies the condition to the status of an object. */
export async function applyCondition(
  handle: ApiHandler,
  { path, object: { apiVersion, kind, metadata } }: Pick<BootstrapObject, 'path' | 'object'>,
  { manager, condition }: NonNullable<BootstrapObject['condition']>,
  now: Date,
): Promise<void> {
  const { name } = metadata;
  const status = { conditions: [{ ...condition, lastTransitionTime: formatTime(now) }] };
  const object = { apiVersion, kind, metadata: { name }, status } as JsonObject;
  const query = `fieldManager=${manager}&force=true`;
  await send(handle, serverRequest('PATCH', `${path}/${name}/status`, { query, object }));
}
