/**
 * The managedFields of an object after a write by a member. A server accepts managedFields from clients, so a member could
 * claim fields of the hub, or drop the hub's entries.
 */
import { workFinalizer } from '@flotilla/api';
import { isJsonObject, jsonEquals, type JsonObject, type ManagedFieldsEntry } from '@flotilla/kube';

type Entry = ManagedFieldsEntry;

/** The entries that a member may write; undefined if `after` has exactly these. */
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

/** Accepts the member's entries for the subresource, and keeps all others. */
function ofSubresource(before: readonly Entry[], after: readonly Entry[], subresource: string): Entry[] {
  return [
    ...before.filter((entry) => entry.subresource !== subresource),
    ...after.filter((entry) => entry.subresource === subresource),
  ];
}

/** Accepts changes only to managers of the clean-up finalizer and nothing else. An update adds at most one. */
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

/** The entry reduced to the clean-up finalizer; undefined if it does not manage that. */
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
