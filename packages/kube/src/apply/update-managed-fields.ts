import { jsonEquals } from '../json/json-equals.ts';
import type { JsonObject } from '../json/value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { wireTime } from '../scalars/time.ts';
import { entryType } from './merge-type.ts';
import type { ManagedKind } from './managed-kind.ts';
import { createdFields } from './created-fields.ts';
import { firstStatusOf, isUntouched } from './first-status.ts';
import {
  decodeManagers,
  encodedUpdater,
  encodeManagers,
  InvalidManagedFields,
  inWireOrder,
  unnamed,
  type Managers,
} from './managers.ts';
import { fieldElement, InvalidPathElement } from './path-element.ts';
import { maxUpdaters, recordUpdate } from './record-update.ts';
import { SchemaError } from './schema-error.ts';
import { typedObject, withoutManagedFields, type TypedObject } from './typed-object.ts';
import { validateTyped } from './validate-typed.ts';
import { equalValues } from './value-order.ts';

/** A create, update or patch that will store `object`. Objects are in wire form, with defaults. */
interface FieldUpdate {
  readonly kind: ManagedKind;
  /** Undefined for a create. */
  readonly live: KubeObject | undefined;
  /** Includes the managedFields that the client sent. */
  readonly object: KubeObject;
  readonly manager: string;
  readonly now: Date;
  /** The live object was stored under an older schema, so its types are not guaranteed. */
  readonly isReread?: boolean;
}

/**
 * The managedFields of `object`; undefined for none. Never fails: field management must not block a write, so an
 * object with ambiguous items gets none.
 */
export function updateManagedFields(update: FieldUpdate): ManagedFieldsEntry[] | undefined {
  const { kind, live, object } = update;
  const first = live && managersOfFirstStatus(update, live);
  if (first !== undefined) return first;
  const managers = managersOf(update);
  // An object without managers stays so until an apply.
  if (managers.size === 0 && live !== undefined) return undefined;
  try {
    if (live === undefined && managers.size === 0 && !hasUnchecked(kind, object)) return managersOfCreated(update);
    const before = typedObject(kind, live === undefined ? kind.blank : withoutManagedFields(live));
    const after = typedObject(kind, withoutManagedFields(object));
    if (update.isReread) for (const { type, value } of [after, before]) validateTyped(type, value, tolerant);
    else if (kind.isUnchecked) checkTypes(after, before.value, kind.isUnchecked);
    return encodeManagers(recordUpdate(update, before, after, managers));
  } catch (error) {
    // A hostile object may overflow the stack.
    if (error instanceof SchemaError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The creator owns all fields. */
function managersOfCreated(update: FieldUpdate): ManagedFieldsEntry[] | undefined {
  const entry = ownerOfAll(update, withoutManagedFields(update.object));
  return entry && [entry];
}

/** Undefined if this is not a first status, or if it changes the entries of other managers. */
function managersOfFirstStatus(update: FieldUpdate, live: KubeObject): ManagedFieldsEntry[] | undefined {
  const { kind, object, manager, isReread } = update;
  const { managedFields: others = [] } = live.metadata;
  if (isReread || others.length === 0 || others.length >= maxUpdaters) return undefined;
  if (!others.every((entry) => isUntouched(entry, kind, manager || unnamed))) return undefined;
  const first = firstStatusOf(kind, live, object);
  if (first === undefined) return undefined;
  try {
    const entry = ownerOfAll(update, { ...kind.blank, status: object['status'] });
    return entry && inWireOrder([...others, withAnnotations(entry, first.annotations)]);
  } catch (error) {
    if (error instanceof SchemaError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function withAnnotations(entry: ManagedFieldsEntry, names: readonly string[]): ManagedFieldsEntry {
  if (names.length === 0) return entry;
  const added = Object.fromEntries(names.map((name) => [fieldElement(name), {}]));
  return { ...entry, fieldsV1: { 'f:metadata': { 'f:annotations': added }, ...entry.fieldsV1 } };
}

/** The entry of a manager that owns all that the value has beyond a blank object. */
function ownerOfAll(update: FieldUpdate, value: JsonObject): ManagedFieldsEntry | undefined {
  const { kind, manager, now } = update;
  const { apiVersion, subresource = '' } = kind;
  const after = typedObject(kind, value);
  const fieldsV1 = createdFields(kind, after, () => {
    const [entry] = encodeManagers(recordUpdate(update, typedObject(kind, kind.blank), after, noManagers)) ?? [];
    return entry?.fieldsV1;
  });
  return fieldsV1 && encodedUpdater({ name: manager, subresource, apiVersion, time: wireTime(now) }, fieldsV1);
}

const tolerant = { allowDuplicates: true };

function hasUnchecked({ isUnchecked }: ManagedKind, object: JsonObject): boolean {
  return isUnchecked !== undefined && Object.keys(object).some(isUnchecked);
}

/** Throws `SchemaError` if a field without other validation has a wrong type. */
function checkTypes({ type, value }: TypedObject, before: JsonObject, isUnchecked: (field: string) => boolean): void {
  for (const field of Object.keys(value)) {
    if (!isUnchecked(field)) continue;
    const sent = value[field];
    const declared = type.map && entryType(type.map, field);
    if (sent === undefined || declared === undefined || jsonEquals(sent, before[field] ?? null)) continue;
    validateTyped(declared, sent, tolerant);
  }
}

/** Clients may edit managedFields, but not through a subresource. Ignores invalid entries. */
function managersOf({ kind, live, object }: FieldUpdate): Managers {
  const sent = (kind.subresource ?? '') === '' ? object.metadata.managedFields : undefined;
  if (sent !== undefined && isReset(sent)) return noManagers;
  const edited = sent === undefined ? noManagers : readable(sent, 'client');
  return edited.size > 0 ? edited : readable(live?.metadata.managedFields ?? [], 'store');
}

const noManagers: Managers = new Map();

/** Clients reset all managers with an empty list or one empty entry. */
function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0);
}

function readable(entries: readonly ManagedFieldsEntry[], from: 'store' | 'client'): Managers {
  if (entries.length === 0) return noManagers;
  try {
    return decodeManagers(entries, from);
  } catch (error) {
    const unreadable =
      error instanceof InvalidManagedFields || error instanceof InvalidPathElement || error instanceof RangeError;
    if (unreadable) return noManagers;
    throw error;
  }
}

/**
 * The managedFields to store for `after`. A write that changes nothing but times is no change, so the old times
 * stay. Both objects must be in wire form.
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
  if (b === undefined) return false;
  const { time: _a, ...mine } = a;
  const { time: _b, ...theirs } = b;
  return equalValues(mine, theirs);
}
