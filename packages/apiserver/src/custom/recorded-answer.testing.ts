/** Brings an answer of a server to what two servers have in common. */
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { RecordedAnswer } from './recorded-rows.testing.ts';

export interface Reply {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly text: string;
}

/** Given by the server for itself, or by the clock. */
const ownMetadata = ['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'selfLink'];

export function recordedAnswer({ code, warnings, text }: Reply, shows?: readonly string[]): RecordedAnswer {
  const noted = warnings.length > 0 ? { warnings } : {};
  const body = parsed(text);
  if (code < 300) {
    const object = shows ? shown(body, shows) : reduced(body);
    return { code, ...noted, ...(object !== undefined && { object }) };
  }
  const { reason, message, details } = body as {
    reason?: string;
    message?: string;
    details?: { causes?: JsonObject[] };
  };
  return {
    code,
    ...noted,
    ...(reason !== undefined && { reason }),
    message: withoutOwnValues(message ?? text),
    ...(details?.causes && { causes: details.causes.map(withoutOwnText) }),
  };
}

function withoutOwnText(cause: JsonObject): JsonObject {
  const { message } = cause;
  return typeof message === 'string' ? { ...cause, message: withoutOwnValues(message) } : cause;
}

/** Some refusals quote the whole object, and types of CEL are numbered by the clock. */
function withoutOwnValues(text: string): string {
  return text
    .replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uid>')
    .replace(/\bselfType\d+/g, 'selfType<n>')
    .replace(/(resourceVersion\\?":\\?")\d+/g, '$1<version>')
    .replace(/((?:creationTimestamp|time)\\?":\\?")[\dTZ:-]+/g, '$1<time>');
}

/** For answers whose causes and warnings follow the order of a Go map, which is another one each time. */
export function unordered(answer: RecordedAnswer): RecordedAnswer {
  const { message: _, inAnyOrder: __, ...rest } = answer;
  const { causes, warnings } = rest;
  return {
    ...rest,
    ...(causes && { causes: causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) }),
    ...(warnings && { warnings: warnings.toSorted() }),
  };
}

/** Numbers that JavaScript would print in another way are kept as they were written. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text, function keepNumbers(_key, value: JsonValue, context?: { source?: string }) {
      const isExact = typeof value !== 'number' || String(value) === context?.source;
      return isExact ? value : { $number: context?.source ?? '' };
    }) as JsonValue;
  } catch {
    return text;
  }
}

function shown(body: JsonValue, paths: readonly string[]): JsonValue | undefined {
  if (paths.length === 0) return undefined;
  return Object.fromEntries(paths.map((path) => [path, withoutTimes(valueAt(body, path) ?? null)]));
}

function valueAt(body: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const key of path.split('/')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, JsonValue | undefined>>)[key];
  }
  return value;
}

function reduced(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  if (body['kind'] === 'Table') return tableOf(body as unknown as Table);
  if (body['kind'] === 'Status') return { status: body['status'] ?? null, message: body['message'] ?? null };
  const { metadata, items, ...rest } = body;
  return {
    ...rest,
    ...(isJsonObject(metadata) && { metadata: withoutOwnMetadata(metadata) }),
    ...(Array.isArray(items) && { items: items.map(reduced) }),
  };
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly description: string }[];
  readonly rows: readonly { readonly cells: JsonValue }[] | null;
}

/** Columns that every kind has are described in the words of Kubernetes; only the others are compared. */
const commonColumns = ['Name', 'Age', 'Created At'];

function tableOf({ columnDefinitions, rows }: Table): JsonValue {
  const columns = columnDefinitions.map(({ description, ...column }) =>
    commonColumns.includes(column.name) ? column : { ...column, description },
  );
  return { columns, cells: rows?.map(({ cells }) => cells) ?? null };
}

function withoutOwnMetadata(metadata: JsonObject): JsonObject {
  const { managedFields: _, ...rest } = metadata;
  return Object.fromEntries(Object.entries(rest).filter(([key]) => !ownMetadata.includes(key)));
}

/** Times in conditions and managed fields are the clock's; conditions stand in the order in which controllers came by. */
function withoutTimes(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return sortedByType(value.map(withoutTimes));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'time' && key !== 'lastTransitionTime');
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutTimes(inner ?? null)]));
}

function sortedByType(values: JsonValue[]): JsonValue[] {
  const typeOf = (value: JsonValue): string => {
    const type = isJsonObject(value) ? value['type'] : undefined;
    return typeof type === 'string' ? type : '';
  };
  const areConditions = values.every((value) => typeOf(value) !== '');
  return areConditions ? values.toSorted((a, b) => (typeOf(a) < typeOf(b) ? -1 : 1)) : values;
}
