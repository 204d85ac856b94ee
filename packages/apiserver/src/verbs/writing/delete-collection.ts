import { isNotFound, type ApiResponse } from '@flotilla/kube';
import type { DeleteOptions } from '../../request/delete-options.ts';
import { listOptions, type ListOptions } from '../../request/list-options.ts';
import type { Query } from '../../request/query.ts';
import { bytesResponse } from '../../response/respond.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Entry } from '../../store/store.ts';
import type { Call } from '../../call/call.ts';
import { deleteObject, warnOfMissingPropagation } from './delete.ts';
import { filterOf } from '../reading/filter.ts';
import { pageResponse } from '../reading/list.ts';
import { itemReader } from '../reading/list-batch.ts';
import { listEncoder } from '../reading/list-encoder.ts';
import { wholeList } from '../reading/objects-response.ts';
import { entriesOf, findPage, type Page } from '../reading/page.ts';
import { readDeleteOptions } from '../body/read-delete-options.ts';
import { readEntries } from '../../representation/read-entries.ts';
import { objectRepresentation } from '../../representation/represent.ts';
import { isServedAsStored } from '../../representation/read-entry.ts';

/** Concurrent deletes share disk syncs; the limit bounds the memory of one request. */
const maxConcurrentDeletes = 64;

/** Deletes the objects that a list would return, one by one. Objects that are deleted meanwhile are skipped. */
export async function deleteCollection(call: Call): Promise<ApiResponse> {
  const { resource, info } = call;
  const representation = objectRepresentation(call);
  const options = await readDeleteOptions(call);
  warnOfMissingPropagation(call, options);
  const filter = filterOf(call);
  const page = await findPage(call, pagedOptions(info.query), filter);

  // Converts before deleting: if the webhook fails, nothing is deleted.
  if (!needsConversion(resource, page)) {
    await deleteAll(call, page, options);
    return pageResponse(call, page, representation);
  }
  const encoder = listEncoder(call, page.metadata, representation);
  const items = await readEntries(call, [...entriesOf(resource.collection, page)], itemReader(encoder));
  await deleteAll(call, page, options);
  return bytesResponse(200, encoder.contentType, wholeList(encoder, items), call.warnings);
}

function needsConversion(resource: Resource, page: Page): boolean {
  if (!resource.whileConverting) return false;
  for (const entry of entriesOf(resource.collection, page)) if (!isServedAsStored(resource, entry)) return true;
  return false;
}

async function deleteAll(call: Call, page: Page, options: DeleteOptions): Promise<void> {
  const { resource } = call;
  const { turns } = call.server;
  let pending: Promise<void>[] = [];
  for (const entry of entriesOf(resource.collection, page)) {
    pending.push(deleteIfPresent(call, entry, options));
    if (pending.length >= maxConcurrentDeletes) {
      await Promise.all(pending);
      pending = [];
    }
    if (turns.isOver()) await turns.next();
  }
  await Promise.all(pending);
}

/** Kubernetes reads the collection in pages, and a limit changes the meaning of `resourceVersion`. */
function pagedOptions(query: Query): ListOptions {
  const options = listOptions(query, false);
  return { ...options, limit: options.limit || Number.MAX_SAFE_INTEGER };
}

async function deleteIfPresent(call: Call, { key, bytes }: Entry, options: DeleteOptions): Promise<void> {
  const { heavy } = call.server;
  const slash = call.resource.namespaced ? key.name.indexOf('/') : -1;
  const [namespace, name] = [key.name.slice(0, Math.max(slash, 0)), key.name.slice(slash + 1)];
  try {
    if (heavy?.isHeavy(bytes.length)) await heavy.delete(call, namespace, name, options);
    else await deleteHere(call, namespace, name, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** In this thread, unless admission turns out to be too heavy for it. */
async function deleteHere(call: Call, namespace: string, name: string, options: DeleteOptions): Promise<void> {
  const { heavy } = call.server;
  try {
    await deleteObject(call, namespace, name, options);
  } catch (error) {
    if (!heavy?.isTooHeavy(error)) throw error;
    await heavy.delete(call, namespace, name, options);
  }
}
