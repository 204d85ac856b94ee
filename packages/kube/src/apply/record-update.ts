import { compareBytes } from '../go/format.ts';
import { wireTime } from '../scalars/time.ts';
import { difference, emptySet, intersection, union } from './field-set.ts';
import type { ManagedKind } from './managed-kind.ts';
import { identifierOf, secondsOf, unnamed, withTime, type Manager, type Managers } from './managers.ts';
import { withoutMetaFields } from './field-filter.ts';
import { reconcileManagers, takeFields, writeBetween } from './ownership.ts';
import type { TypedObject } from './typed-object.ts';

interface Update {
  readonly kind: ManagedKind;
  readonly manager: string;
  readonly now: Date;
}

/**
 * The managers after a write that is not an apply. The updater becomes the only owner of what changed. A write
 * without changes keeps the manager's time.
 */
export function recordUpdate(
  { kind, manager: name, now }: Update,
  before: TypedObject,
  after: TypedObject,
  managers: Managers,
): Managers {
  const write = writeBetween(kind, before, after);
  const { written, removed } = write(kind.apiVersion) ?? nothing;
  const reconciled = reconcileManagers(kind, before, managers);
  const taken = withoutMetaFields(written);
  if (taken.length === 0) return capManagers(takeFields(write, reconciled));

  const { apiVersion, subresource = '' } = kind;
  const updater = { name: name === '' ? unnamed : name, operation: 'Update', subresource, apiVersion } as const;
  const identifier = identifierOf(updater);
  const known = reconciled.get(identifier);
  // Common fast path: an updater that changes only its own fields just gets a new time. Clients usually omit only
  // what the server maintains, such as uid and creationTimestamp.
  const keepsAll =
    known !== undefined &&
    difference(taken, known.fields).length === 0 &&
    intersection(removed, known.fields).length === 0;
  if (keepsAll) {
    const owners = takeFields(write, reconciled, identifier);
    return capManagers(owners.set(identifier, withTime(known, wireTime(now))));
  }
  const owners = takeFields(write, reconciled);
  const fields = union(taken, owners.get(identifier)?.fields ?? emptySet);
  return capManagers(owners.set(identifier, { ...updater, fields, time: wireTime(now) }));
}

const nothing = { written: emptySet, removed: emptySet };

export const maxUpdaters = 10;
const ancientManager = 'ancient-changes';

/**
 * Limits the managers of objects that many clients write. Beyond ten updaters, the oldest ones of a version are
 * merged into `ancient-changes`.
 */
export function capManagers(managers: Managers): Managers {
  if (managers.size <= maxUpdaters) return managers;
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= maxUpdaters) return managers;
  const capped = new Map(managers);
  const oldestOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [identifier, manager] of updaters.sort(oldestFirst)) {
    if (count <= maxUpdaters) break;
    const oldest = oldestOfVersion.get(manager.apiVersion);
    if (oldest === undefined) {
      oldestOfVersion.set(manager.apiVersion, identifier);
      continue;
    }
    joinAncient(capped, oldest, identifier, manager);
    count--;
  }
  return capped;
}

function joinAncient(managers: Map<string, Manager>, oldest: string, identifier: string, manager: Manager): void {
  const { apiVersion, time } = manager;
  const bucket = { name: ancientManager, operation: 'Update', subresource: '', apiVersion, time } as const;
  const ancient = identifierOf(bucket);
  const first = managers.get(ancient) ?? managers.get(oldest);
  if (!managers.has(ancient)) managers.delete(oldest);
  managers.set(ancient, { ...bucket, fields: union(manager.fields, first?.fields ?? []) });
  managers.delete(identifier);
}

function oldestFirst([a, { time: aTime }]: [string, Manager], [b, { time: bTime }]: [string, Manager]): number {
  return secondsOf(aTime) - secondsOf(bTime) || compareBytes(a, b);
}
