/**
 * The managers of an object's fields after a member wrote it. Servers take managedFields as they are sent, so a member could
 * claim fields of the hub, or drop the hub's claims.
 */
import { workFinalizer } from '@flotilla/api';
import { isJsonObject, jsonEquals, type JsonObject, type ManagedFieldsEntry } from '@flotilla/kube';

type Entry = ManagedFieldsEntry;

/** The entries that a member may leave behind; undefined where `after` has no others. */
export function keptOwners(
  before: readonly Entry[],
  after: readonly Entry[],
  subresource: string,
): Entry[] | undefined {
  const kept = subresource === '' ? ofFinalizer(before, after) : ofSubresource(before, after, subresource);
  const order = new Map(after.map((entry, index) => [identityOf(entry), index]));
  const place = (entry: Entry): number => order.get(identityOf(entry)) ?? after.length;
  kept.sort((a, b) => place(a) - place(b));
  return jsonEquals(kept, [...after]) ? undefined : kept;
}

/** A part that the member may write is its own; of the rest nothing changes. */
function ofSubresource(before: readonly Entry[], after: readonly Entry[], subresource: string): Entry[] {
  return [
    ...before.filter((entry) => entry.subresource !== subresource),
    ...after.filter((entry) => entry.subresource === subresource),
  ];
}

/** Managers of the clean-up finalizer, and of nothing else, come and go. An update adds one at most. */
function ofFinalizer(before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const sent = new Map(after.map((entry) => [identityOf(entry), entry]));
  const known = new Set(before.map(identityOf));
  const added = after.filter((entry) => !known.has(identityOf(entry)));
  const kept = before.map((entry) => {
    const isOfFinalizer = jsonEquals(reduced(entry)?.fieldsV1 ?? null, entry.fieldsV1 ?? null);
    return isOfFinalizer ? reduced(sent.get(identityOf(entry))) : entry;
  });
  return [...kept, added.length === 1 ? reduced(added[0]) : undefined].filter((entry) => entry !== undefined);
}

function identityOf({ manager = '', operation = '', apiVersion = '', subresource = '' }: Entry): string {
  return JSON.stringify([manager, operation, apiVersion, subresource]);
}

const finalizerKey = `v:${JSON.stringify(workFinalizer)}`;

/** The entry with the clean-up finalizer alone; undefined where it does not manage that. */
function reduced(entry: Entry | undefined): Entry | undefined {
  const finalizers = partOf(partOf(entry?.fieldsV1, 'f:metadata'), 'f:finalizers');
  if (entry === undefined || !Object.hasOwn(finalizers, finalizerKey)) return undefined;
  const list = Object.hasOwn(finalizers, '.') ? { '.': {} } : {};
  return { ...entry, fieldsV1: { 'f:metadata': { 'f:finalizers': { ...list, [finalizerKey]: {} } } } };
}

function partOf(fields: JsonObject | undefined, key: string): JsonObject {
  const part = fields?.[key];
  return isJsonObject(part) ? part : {};
}
