import { capManagers } from './cap-managers.ts';
import { emptySet, union } from './field-set.ts';
import type { ManagedKind } from './managed-kind.ts';
import { identifierOf, wireTime, type Managers } from './managers.ts';
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
  const owners = takeFields(write, reconcileManagers(kind, managers));
  const taken = withoutMetaFields(write(kind.apiVersion)?.written ?? emptySet);
  if (taken.length > 0) {
    const { apiVersion, subresource = '' } = kind;
    const updater = { name: name === '' ? 'unknown' : name, operation: 'Update', subresource, apiVersion } as const;
    const identifier = identifierOf(updater);
    const fields = union(taken, owners.get(identifier)?.fields ?? emptySet);
    owners.set(identifier, { ...updater, fields, time: wireTime(now) });
  }
  return capManagers(owners);
}
