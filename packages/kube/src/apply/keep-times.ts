import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { withoutManagedFields } from './typed-object.ts';
import { equalValues } from './value-order.ts';

/**
 * The managedFields to store for `after`. A write that leaves the object and everybody's fields as they were shall not be
 * a change for its time alone, so the old times stay. Both objects are in wire form, ready to be stored.
 */
export function keepTimes(before: KubeObject, after: KubeObject): ManagedFieldsEntry[] | undefined {
  const from = before.metadata.managedFields ?? [];
  const to = after.metadata.managedFields ?? [];
  const sameTimes = to.every(({ time }, index) => time === from[index]?.time);
  const onlyTimes =
    !sameTimes && from.length === to.length && to.every((entry, index) => sameButTime(entry, from[index]));
  const same = onlyTimes && equalValues(withoutManagedFields(before), withoutManagedFields(after));
  return same ? before.metadata.managedFields : after.metadata.managedFields;
}

function sameButTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry | undefined): boolean {
  return b !== undefined && equalValues({ ...a, time: '' }, { ...b, time: '' });
}
