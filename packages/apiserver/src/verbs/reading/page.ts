import { apiErrors } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { ListOptions } from '../../request/list-options.ts';
import { parseResourceVersion, resourceVersionFault } from '../../request/resource-version.ts';
import type { Entry, Snapshot } from '../../store/store.ts';
import type { TableMeta } from '../../representation/table.ts';
import type { Call } from '../../call/call.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { Filter } from './filter.ts';
import { waitForRevision } from './wait-for-revision.ts';

/** One page of a list: a range of a snapshot, and the metadata of the list. */
export interface Page {
  readonly snapshot: Snapshot;
  readonly prefix: string;
  readonly start: string | undefined;
  /** Exclusive end of the page; undefined: to the end of the scope. */
  readonly end: string | undefined;
  readonly filter: Filter;
  readonly metadata: TableMeta;
}

export function scopePrefix({ resource, info }: Call): string {
  return resource.namespaced && info.namespace !== '' ? `${info.namespace}/` : '';
}

export async function findPage(call: Call, options: ListOptions, filter: Filter): Promise<Page> {
  const { resource } = call;
  const prefix = scopePrefix(call);
  const { snapshot, start } = await startOf(call, options, prefix);
  if (filter.prepare) await filter.prepare(snapshot.range(resource.collection, prefix, start));
  // Reads from the cache ("0") ignore the limit: informers depend on it.
  const limit = options.resourceVersion === '0' && options.continueToken === '' ? 0 : options.limit;
  const metadata: TableMeta = { resourceVersion: String(snapshot.revision) };
  if (limit === 0 || filter.onlyName !== undefined) {
    return { snapshot, prefix: filter.onlyName ?? prefix, start, end: undefined, filter, metadata };
  }

  const end = await endOfPage(snapshot.range(resource.collection, prefix, start), filter, limit, call.server.turns);
  if (end !== undefined) {
    metadata.continue = encodeContinue({ revision: snapshot.revision, start: end }, prefix);
    if (filter.isEmpty) metadata.remainingItemCount = snapshot.count(resource.collection, prefix, end);
  }
  return { snapshot, prefix, start, end, filter, metadata };
}

/** The key after the page's last item. Undefined if no entry follows, whether it matches or not. */
async function endOfPage(
  entries: Iterable<Entry>,
  filter: Filter,
  limit: number,
  turns: LoopTurns,
): Promise<string | undefined> {
  let found = 0;
  let end: string | undefined;
  for (const entry of entries) {
    if (found === limit) return end;
    if (!filter.matches(entry)) continue;
    found++;
    end = `${entry.key.name}\0`;
    if (turns.isOver()) await turns.next();
  }
  return undefined;
}

/** The snapshot and first key of a list, by the rules for resourceVersion, resourceVersionMatch and continue tokens. */
async function startOf(
  call: Call,
  options: ListOptions,
  prefix: string,
): Promise<{ snapshot: Snapshot; start: string | undefined }> {
  const { store } = call.server;
  if (options.continueToken !== '') return continued(call, options, prefix);

  const revision = parseResourceVersion(options.resourceVersion);
  if (revision === undefined) {
    throw apiErrors.badRequest(`invalid resource version: ${resourceVersionFault(options.resourceVersion)}`);
  }
  if (revision > 0) await waitForRevision(call, revision);
  const isExact =
    options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0);
  if (revision === 0 || !isExact) return { snapshot: store.snapshot(), start: undefined };
  const snapshot = store.snapshotAt(revision);
  if (snapshot === 'compacted') throw apiErrors.expired('The resourceVersion for the provided list is too old.');
  return { snapshot, start: undefined };
}

async function continued(
  call: Call,
  { continueToken, resourceVersion }: ListOptions,
  prefix: string,
): Promise<{ snapshot: Snapshot; start: string }> {
  const { store } = call.server;
  const { revision, start } = decodeContinue(continueToken, prefix);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw apiErrors.badRequest('specifying resource version is not allowed when using continue');
  }
  if (revision < 0) return { snapshot: store.snapshot(), start };
  await waitForRevision(call, revision);
  const snapshot = store.snapshotAt(revision);
  if (snapshot === 'compacted') throw expiredToken(start, prefix);
  return { snapshot, start };
}

/** The error contains a token with which the client may continue at the newest revision. */
function expiredToken(start: string, prefix: string): Error {
  const error = apiErrors.expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  error.status.metadata['continue'] = encodeContinue({ revision: -1, start }, prefix);
  return error;
}

export function* entriesOf(collection: string, page: Page): Generator<Entry> {
  for (const entry of scannedEntries(collection, page)) if (entry) yield entry;
}

/** The caller gets a chance to yield after so many entries that do not match. */
const maxSkipped = 128;

/** Like `entriesOf`, but yields undefined now and then while no entry matches. */
export function* scannedEntries(
  collection: string,
  { snapshot, prefix, start, end, filter }: Page,
): Generator<Entry | undefined> {
  let skipped = 0;
  for (const entry of snapshot.range(collection, prefix, start)) {
    if (end !== undefined && entry.key.name >= end) return;
    if (filter.matches(entry)) {
      skipped = 0;
      yield entry;
    } else if (++skipped === maxSkipped) {
      skipped = 0;
      yield undefined;
    }
  }
}
