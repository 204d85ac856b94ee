/** Decoded `metadata.managedFields`: the managers and their fields. */
import { InvalidPathElement } from './path-element.ts';
import { byteLength, compareBytes, quote } from '../go/format.ts';
import type { JsonObject } from '../json/value.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import type { FieldSet } from './field-set.ts';
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts';

export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource: string;
  /** The version of `fields`. */
  readonly apiVersion: string;
  readonly time?: string | undefined;
  readonly fields: FieldSet;
  /** The entry that this was decoded from, while it is still accurate. */
  readonly encoded?: ManagedFieldsEntry | undefined;
}

/** By identifier. */
export type Managers = ReadonlyMap<string, Manager>;

export class InvalidManagedFields extends Error {
  override readonly name = 'InvalidManagedFields';
}

/**
 * Identifies a manager. An applier is the same in all versions; an updater is a different manager in each. Messages
 * and order depend on this text, so it is Kubernetes' own.
 */
export function identifierOf({ name, operation, apiVersion, subresource }: Omit<Manager, 'fields'>): string {
  let text = name === '' ? '{' : `{"manager":${jsonText(name)},`;
  text += `"operation":"${operation}"`;
  if (operation !== 'Apply') text += `,"apiVersion":${jsonText(apiVersion)}`;
  if (subresource !== '') text += `,"subresource":${jsonText(subresource)}`;
  return `${text}}`;
}

const plain = /^[\w ./@:-]*$/;

/** Every write needs this, and few names need escapes. */
function jsonText(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

export function withFields(manager: Manager, fields: FieldSet): Manager {
  return fields === manager.fields ? manager : { ...manager, fields, encoded: undefined };
}

export function withTime(manager: Manager, time: string): Manager {
  const { encoded } = manager;
  return { ...manager, time, encoded: encoded?.time === undefined ? undefined : { ...encoded, time } };
}

/**
 * Throws `InvalidManagedFields`, or `InvalidPathElement` for invalid fields. Entries from the store are reused if
 * unchanged. Entries from a client are encoded again.
 */
export function decodeManagers(entries: readonly ManagedFieldsEntry[], from: 'store' | 'client'): Managers {
  const managers = new Map<string, Manager>();
  for (let index = 0; index < entries.length; index++) {
    const manager = decodeManager(entries[index] as ManagedFieldsEntry, index, from === 'store');
    managers.set(identifierOf(manager), manager);
  }
  return managers;
}

/** What is wrong with entries that a client or a webhook wrote. */
export function managedFieldsFault(entries: readonly ManagedFieldsEntry[]): string | undefined {
  try {
    decodeManagers(entries, 'client');
    return undefined;
  } catch (error) {
    if (error instanceof InvalidManagedFields || error instanceof InvalidPathElement) return error.message;
    throw error;
  }
}

/** In wire order; undefined if there are no managers. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const manager of managers.values()) entries.push(encodeManager(manager));
  return inWireOrder(entries);
}

/** Sorts the entries. */
export function inWireOrder(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return entries.length === 1 ? entries : entries.sort(compareEntries);
}

/** Seconds since 1970, which is the precision of these times; 0 without a time. */
export function secondsOf(time: string | undefined): number {
  const ms = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000);
}

function decodeManager(entry: ManagedFieldsEntry, index: number, keep: boolean): Manager {
  const { manager = '', operation = '', apiVersion = '', time, fieldsType = '', fieldsV1, subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new InvalidManagedFields('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new InvalidManagedFields('apiVersion must not be empty');
  if (fieldsType === '') throw new InvalidManagedFields(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new InvalidManagedFields(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`);
  }
  const fields = fromFieldsV1(fieldsV1 ?? {});
  return { name: manager, operation, subresource, apiVersion, time, fields, encoded: keep ? entry : undefined };
}

function encodeManager({
  name,
  operation,
  subresource,
  apiVersion,
  time,
  fields,
  encoded,
}: Manager): ManagedFieldsEntry {
  if (encoded !== undefined) return encoded;
  return encodedEntry({ name, operation, subresource, apiVersion, time }, toFieldsV1(fields));
}

/** The entry of a manager that is not an applier. */
export function encodedUpdater(
  { name, ...manager }: Omit<Manager, 'operation' | 'fields' | 'encoded'>,
  fieldsV1: JsonObject,
): ManagedFieldsEntry {
  return encodedEntry({ ...manager, name: name === '' ? unnamed : name, operation: 'Update' }, fieldsV1);
}

function encodedEntry(
  { name, operation, subresource, apiVersion, time }: Omit<Manager, 'fields'>,
  fieldsV1: JsonObject,
): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = name === '' ? { operation, apiVersion } : { manager: name, operation, apiVersion };
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fieldsV1;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** The manager of writes whose client has no name. */
export const unnamed = 'unknown';

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareBytes(a.operation ?? '', b.operation ?? '') ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareBytes(a.manager ?? '', b.manager ?? '') ||
    compareBytes(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareBytes(a.subresource ?? '', b.subresource ?? '')
  );
}

const maxBytes = 128;

/** Printable in Go's unicode package. */
const printablePattern = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Matches nearly every client's name, which needs no changes. */
const plainPattern = /^[ -~]{0,128}$/;

/**
 * The manager of a write: the `fieldManager` parameter, or the User-Agent up to its first slash. Apply has no such
 * fallback. An empty name is recorded as `unknown`.
 */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager;
  const [product = ''] = userAgent.split('/', 1);
  if (plainPattern.test(product)) return product;
  let name = '';
  let bytes = 0;
  for (const character of product) {
    if (!printablePattern.test(character)) continue;
    bytes += byteLength(character);
    if (bytes > maxBytes) break;
    name += character;
  }
  return name;
}
