import { isNotFound, type ApiResponse } from '@flotilla/kube';
import type { DeleteOptions } from '../../request/delete-options.ts';
import { listOptions, type ListOptions } from '../../request/list-options.ts';
import type { Query } from '../../request/query.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Entry } from '../../store/store.ts';
import type { Call } from '../../call/call.ts';
import { deleteObject, warnOfUnsaidPropagation } from './delete.ts';
import { filterOf } from '../reading/filter.ts';
import { pageResponse } from '../reading/list.ts';
import { objectsResponse } from '../reading/objects-response.ts';
import { entriesOf, findPage, type Page } from '../reading/page.ts';
import { readDeleteOptions } from '../body/read-delete-options.ts';
import { isShown, objectRepresentation, readEntries } from '../../representation/represent.ts';

/** So many deletes are under way at once: they share syncs of the disk, and no request holds all of memory. */
const atOnce = 64;

/** Deletes what a list would show, object by object; what goes away meanwhile is gone, and that was the point. */
export async function deleteCollection(call: Call): Promise<ApiResponse> {
  const { resource, info } = call;
  const representation = objectRepresentation(call);
  const options = await readDeleteOptions(call);
  warnOfUnsaidPropagation(call, options);
  const filter = filterOf(call);
  const page = await findPage(call, pagedOptions(info.query), filter);

  // A webhook that cannot convert them keeps all of them.
  const converted = mustAsk(resource, page)
    ? await readEntries(call, [...entriesOf(resource.collection, page)])
    : undefined;
  await deleteAll(call, page, options);
  if (converted) return objectsResponse(call, converted, page.metadata, representation);
  return pageResponse(call, page, representation);
}

function mustAsk(resource: Resource, page: Page): boolean {
  if (!resource.whileConverting) return false;
  for (const entry of entriesOf(resource.collection, page)) if (!isShown(resource, entry)) return true;
  return false;
}

async function deleteAll(call: Call, page: Page, options: DeleteOptions): Promise<void> {
  const { resource } = call;
  const { turns } = call.server;
  let pending: Promise<void>[] = [];
  for (const entry of entriesOf(resource.collection, page)) {
    pending.push(deleteIfThere(call, entry, options));
    if (pending.length >= atOnce) {
      await Promise.all(pending);
      pending = [];
    }
    if (turns.isOver()) await turns.next();
  }
  await Promise.all(pending);
}

/** Kubernetes goes through a collection in pages, which has a bearing on what a resource version means. */
function pagedOptions(query: Query): ListOptions {
  const options = listOptions(query, false);
  return { ...options, limit: options.limit || Number.MAX_SAFE_INTEGER };
}

async function deleteIfThere(call: Call, { key, bytes }: Entry, options: DeleteOptions): Promise<void> {
  const { heavy } = call.server;
  const slash = call.resource.namespaced ? key.name.indexOf('/') : -1;
  const [namespace, name] = [key.name.slice(0, Math.max(slash, 0)), key.name.slice(slash + 1)];
  try {
    if (heavy?.isHeavy(bytes.length)) await heavy.delete(call, namespace, name, options);
    else await deleteObject(call, namespace, name, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
