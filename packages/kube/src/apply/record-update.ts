import { wireTime } from '../wire-time.ts';
import { capManagers } from './cap-managers.ts';
import { difference, emptySet, intersection, union } from './field-set.ts';
import type { ManagedKind } from './managed-kind.ts';
import { identifierOf, withTime, type Managers } from './managers.ts';
import { withoutMetaFields } from './meta-fields.ts';
import { reconcileManagers, takeFields, writeBetween } from './ownership.ts';
import type { TypedObject } from './typed-object.ts';

/**
 * Everybody's fields after a write that is no apply: whoever writes owns what changed, and nobody else does. A write that
 * changes nothing leaves its manager's time alone.
 */
export function recordUpdate(
  kind: ManagedKind,
  before: TypedObject,
  after: TypedObject,
  managers: Managers,
  name: string,
  now: Date,
): Managers {
  const write = writeBetween(kind, before, after);
  const { written, removed } = write(kind.apiVersion) ?? nothing;
  const reconciled = reconcileManagers(kind, before, managers);
  const taken = withoutMetaFields(written);
  if (taken.length === 0) return capManagers(takeFields(write, reconciled));

  const { apiVersion, subresource = '' } = kind;
  const updater = { name: name === '' ? 'unknown' : name, operation: 'Update', subresource, apiVersion } as const;
  const identifier = identifierOf(updater);
  const known = reconciled.get(identifier);
  // Who writes again what is his already, and leaves out nothing of it, only gets a new time: the common case, and the
  // cheap one. What clients leave out is mostly what the server keeps: uid and creationTimestamp.
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
