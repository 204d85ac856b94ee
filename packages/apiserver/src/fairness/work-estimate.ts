import { parseFieldSelector } from '@flotilla/kube';
import { integerParameter } from '../request/integer-parameter.ts';
import type { Query } from '../request/query.ts';
import type { ResourceInfo } from '../request/request-info.ts';

/** The stored objects of a resource. */
export interface StoredObjects {
  readonly count: number;
  /** Estimated, of one object. */
  readonly bytes: number;
}

/** The limits of kube-apiserver v1.36, whose estimate is by size. */
const bytesPerSeat = 100_000;
const maxListSeats = 100;
/** A list from memory is streamed, so that more is never encoded at once. */
const maxStreamedBytes = 1_000_000;

const watchesPerSeat = 10;
const maxChangeSeats = 10;

/** The seats of a list, or of a watch that begins with all objects. `widest` is the limit of the level. */
export function listSeats(
  { verb, name, query }: Pick<ResourceInfo, 'verb' | 'name' | 'query'>,
  stored: () => StoredObjects | undefined,
  widest: number | undefined,
): number {
  if (verb === 'watch' && !sendsInitialEvents(query)) return 1;
  const objects = stored();
  // Not of this server: the work is another one's.
  if (objects === undefined) return 1;
  const most = Math.min(widest ?? maxListSeats, maxListSeats);
  const limit = limitIn(query);
  if (limit === undefined) return most;
  const isSingle = name !== '' || selectsName(query);
  const count = isSingle ? 1 : limit > 0 ? Math.min(limit, objects.count) : objects.count;
  // Every list comes from memory here; kube-apiserver reads some from etcd.
  const bytes = Math.min(count * objects.bytes, maxStreamedBytes);
  return Math.max(1, Math.min(most, Math.ceil(bytes / bytesPerSeat)));
}

/** The seats of a change: its events are sent to every watch that may match. */
export function changeSeats(watches: number, widest: number | undefined): number {
  if (watches < watchesPerSeat) return 1;
  return Math.max(1, Math.min(Math.ceil(watches / watchesPerSeat), widest ?? maxChangeSeats, maxChangeSeats));
}

function sendsInitialEvents(query: Query): boolean {
  const revision = query.get('resourceVersion') ?? '';
  return query.flag('sendInitialEvents') === true || revision === '' || revision === '0';
}

/** Undefined if it is invalid: the list will refuse it. */
function limitIn(query: Query): number | undefined {
  try {
    return Number(integerParameter(query, 'limit') ?? 0);
  } catch {
    return undefined;
  }
}

function selectsName(query: Query): boolean {
  const fields = query.get('fieldSelector');
  if (fields === undefined) return false;
  try {
    return parseFieldSelector(fields).exactValueOf('metadata.name') !== undefined;
  } catch {
    return false;
  }
}
