import type { Cell, ColumnDefinition, Columns } from '@flotilla/builtins';
import { apiErrors, fieldErrorText, invalid, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import type { Query } from '../request/query.ts';
import type { Codec } from '../resources/resource.ts';
import type { Call } from '../call/call.ts';
import { partialMetadata } from './partial-metadata.ts';

/** The columns of kinds without their own. */
const defaultColumns: Columns = {
  definitions: [
    { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 },
    { name: 'Created At', type: 'date', description: 'When the object was created.', priority: 0 },
  ],
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? null],
};

export interface TableMeta extends JsonObject {
  /** Absent if nothing is stored. */
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

/** The table of `kubectl get`: the server makes columns and cells, so that every kubectl can print every kind. */
export function tableOf(
  { resource, info, server }: Call,
  objects: readonly KubeObject[],
  metadata: TableMeta,
  version: string,
  shown: { readonly columns?: Columns | undefined; readonly codec: RowForm['codec'] } = {
    columns: resource.behavior.columns,
    codec: resource.codec,
  },
): JsonObject {
  const { columns = defaultColumns, codec } = shown;
  const form = { columns, codec, include: includeObject(info.query), version, now: server.now() };
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: columnDefinitions(columns),
    rows: rowsOf(form, objects),
  };
}

/** Makes the rows of a list one by one, all with the same time. */
export function rowMaker(call: Call, version: string): (object: KubeObject) => JsonObject {
  const { resource, info, server } = call;
  const columns = columnsOf(call);
  const form = { columns, codec: resource.codec, include: includeObject(info.query), version, now: server.now() };
  return (object) => tableRow(form, object);
}

/** Go makes an empty list of rows only for kinds with their own columns. */
function rowsOf(form: RowForm, objects: readonly KubeObject[]): JsonValue[] | null {
  if (objects.length === 0 && form.columns === defaultColumns) return null;
  return objects.map((object) => tableRow(form, object));
}

/** The inputs for a row. */
interface RowForm {
  readonly columns: Columns;
  readonly codec: Pick<Codec, 'metadataOf'>;
  readonly include: IncludeObject;
  readonly version: string;
  readonly now: Date;
}

export function columnsOf({ resource }: Pick<Call, 'resource'>): Columns {
  return resource.behavior.columns ?? defaultColumns;
}

export function columnDefinitions({ definitions }: Columns): JsonValue[] {
  return definitions.map(definition);
}

function definition({ name, type, format, description, priority }: ColumnDefinition): JsonObject {
  return { name, type, format: format ?? '', description, priority };
}

/** The same columns for an object that is only metadata, as in a bookmark: a kind's own cells would read missing fields. */
export function withEmptyCells({ definitions }: Columns): Columns {
  const cells = definitions.map(emptyCell);
  return { definitions, cells: () => cells };
}

function emptyCell({ name, type }: ColumnDefinition): Cell {
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return name === 'Age' ? '<unknown>' : '';
}

type IncludeObject = 'None' | 'Metadata' | 'Object';

export function includeObject(query: Query): IncludeObject {
  const value = query.get('includeObject') || 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const fault = invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw apiErrors.badRequest(`Unable to convert to Table as requested: ${fieldErrorText(fault)}`);
}

export function tableRow({ columns, codec, include, version, now }: RowForm, object: KubeObject): JsonObject {
  const cells = columns.cells(object, now) as JsonValue[];
  if (include === 'None') return { cells, object: null };
  return { cells, object: include === 'Object' ? object : partialMetadata(object, version, codec) };
}
