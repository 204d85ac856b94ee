/** Values in the form of Kubernetes' internal types: all fields under their Go names, as errors print them. */
import {
  compareBytes,
  escapeForHtml,
  invalid,
  isJsonObject,
  notSupported,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import { internalTypes } from './internal-types.ts';
import { unifiedDiff } from './unified-diff.ts';

interface InternalField {
  readonly name: string;
  readonly wire: string;
  readonly type: string;
  readonly isPointer: boolean;
  readonly isList: boolean;
}

/** `value` is in wire form, `type` is one of the table. The result's order of keys matters when it is printed. */
export function internalForm(type: string, value: JsonObject): JsonObject {
  const form: JsonObject = {};
  fill(form, type, type === 'PodSpec' ? withHostFields(value) : value);
  return form;
}

/** Internally, the host namespaces of a pod are part of its security context. */
function withHostFields(spec: JsonObject): JsonObject {
  const context = isJsonObject(spec['securityContext']) ? spec['securityContext'] : {};
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec;
  return {
    ...spec,
    securityContext: { ...context, hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers },
  };
}

function fill(form: JsonObject, type: string, value: JsonObject): void {
  if (type === 'ObjectMeta') return fillMetadata(form, value);
  for (const field of fieldsOf(type)) {
    if (field.name === '') {
      const isMetadata = field.type === 'ObjectMeta';
      const embedded = isMetadata && isJsonObject(value['metadata']) ? value['metadata'] : value;
      fill(form, field.type, isMetadata && embedded === value ? {} : embedded);
    } else form[field.name] = fieldForm(field, value[field.wire]);
  }
}

/** Metadata has its wire form. A time that is not set is not shown. */
function fillMetadata(form: JsonObject, metadata: JsonObject): void {
  for (const [key, value] of Object.entries(metadata)) {
    if (value !== undefined && value !== null) form[key] = sortedMaps(value);
  }
}

function fieldForm({ type, isPointer, isList }: InternalField, value: JsonValue | undefined): JsonValue {
  if (isList) return Array.isArray(value) ? value.map((item) => valueForm(type, item)) : null;
  if (value === undefined || value === null) return isPointer ? null : zeroOf(type);
  return valueForm(type, value);
}

function valueForm(type: string, value: JsonValue): JsonValue {
  if (type === 'm' || type === 'w') return sortedMaps(value);
  return type.length > 1 && isJsonObject(value) ? internalForm(type, value) : value;
}

function zeroOf(type: string): JsonValue {
  switch (type) {
    case 's':
      return '';
    case 'i':
    case 'p':
      return 0;
    case 'b':
      return false;
    case 'q':
      return '0';
    case 'm':
    case 'w':
      return null;
    default:
      return internalForm(type, {});
  }
}

const selectorFields = ['matchLabels', 'matchExpressions'];

/** Sorts maps by key. A label selector is not a map: its labels come first. */
function sortedMaps(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  const isSelector = keys.length > 0 && keys.every((key) => selectorFields.includes(key));
  const ordered = isSelector ? selectorFields.filter((key) => keys.includes(key)) : keys.sort(compareBytes);
  return Object.fromEntries(ordered.map((key) => [key, sortedMaps(value[key] ?? null)]));
}

let types: ReadonlyMap<string, readonly InternalField[]> | undefined;

/** The table is parsed when the first error needs it. */
function fieldsOf(type: string): readonly InternalField[] {
  types ??= parseTypes(internalTypes);
  return types.get(type) ?? [];
}

function parseTypes(text: string): ReadonlyMap<string, readonly InternalField[]> {
  const entries = text.trim().split(/\n(?! )/);
  return new Map(
    entries.map((entry) => {
      const [name = '', , ...fields] = entry.split(/\s+/);
      return [name, fields.map(parseField)];
    }),
  );
}

function parseField(text: string): InternalField {
  if (text.startsWith('...')) return { name: '', wire: '', type: text.slice(3), isPointer: false, isList: false };
  const [names = '', type = ''] = text.split(':');
  const [name = '', wire = name.charAt(0).toLowerCase() + name.slice(1)] = names.split('=');
  return { name, wire, type: type.replace(/\?|\[\]/, ''), isPointer: type.endsWith('?'), isList: type.endsWith('[]') };
}

/** A label selector: its labels come first. */
export function internalSelector(selector: JsonObject): JsonObject {
  return sortedMaps(selector) as JsonObject;
}

/** The difference of two values of an internal type, as errors show it. */
export function internalDiff(type: string, before: JsonObject, after: JsonObject): string {
  return unifiedDiff(prettyForm(type, before), prettyForm(type, after));
}

/** Indented by one space for each level, as Kubernetes prints values to compare them. */
function prettyForm(type: string, value: JsonObject): string {
  const form = internalForm(type, value);
  try {
    return escapeForHtml(JSON.stringify(form, undefined, 1));
  } catch {
    // JSON.stringify refuses bigints. The digits lost here change no difference that the output shows.
    return escapeForHtml(
      JSON.stringify(form, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item), 1),
    );
  }
}

/** Field errors about values of Kubernetes' internal types, which show all fields. */
export function invalidInternal(field: string, type: string, value: JsonObject, detail: string): FieldError {
  return invalid(field, internalForm(type, value), detail);
}

export function unsupportedInternal(
  field: string,
  type: string,
  value: JsonObject,
  supported: readonly string[],
): FieldError {
  return notSupported(field, internalForm(type, value), supported);
}
