import type { Cell, ColumnDefinition, Columns } from '@flotilla/builtins';
import {
  compileJsonPath,
  goJson,
  goPrint,
  humanDuration,
  JsonFloat,
  JsonPathError,
  parseTime,
  TimeError,
  type JsonPath,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import type { DefinitionVersion, PrinterColumn } from '@flotilla/schema';

/** The columns of `kubectl get`: the name, then those of the definition, or else the age. */
export function printerColumnsOf({ additionalPrinterColumns: declared }: DefinitionVersion): Columns {
  return columnsFor(declared && declared.length > 0 ? declared : [ageColumn]);
}

/** The columns of a Scale. */
export function scaleColumnsOf({ subresources }: DefinitionVersion): Columns {
  const { specReplicasPath, statusReplicasPath } = subresources?.scale ?? {};
  return columnsFor([
    ...(specReplicasPath ? [desiredColumn] : []),
    ...(statusReplicasPath ? [availableColumn] : []),
    ageColumn,
  ]);
}

const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object.',
  priority: 0,
};

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

const desiredColumn: PrinterColumn = {
  name: 'Desired',
  type: 'integer',
  description: 'How many replicas are asked for.',
  jsonPath: '.spec.replicas',
};

const availableColumn: PrinterColumn = {
  name: 'Available',
  type: 'integer',
  description: 'How many replicas there are.',
  jsonPath: '.status.replicas',
};

interface CompiledColumn {
  readonly definition: ColumnDefinition;
  readonly path: JsonPath;
}

function columnsFor(declared: readonly PrinterColumn[]): Columns {
  const columns = readableColumns(declared);
  return {
    definitions: [nameColumn, ...columns.map(({ definition }) => definition)],
    cells: (object, now) => [object.metadata.name ?? '', ...columns.map((column) => cellOf(column, object, now))],
  };
}

/** Kubernetes stops at the first invalid path, and keeps the columns before it. */
function readableColumns(declared: readonly PrinterColumn[]): CompiledColumn[] {
  const columns: CompiledColumn[] = [];
  for (const column of declared) {
    const path = pathOf(column);
    if (!path) break;
    columns.push({ definition: definitionOf(column), path });
  }
  return columns;
}

function pathOf({ jsonPath }: PrinterColumn): JsonPath | undefined {
  try {
    return compileJsonPath(jsonPath);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function definitionOf({ name, type, format, description, priority, jsonPath }: PrinterColumn): ColumnDefinition {
  return {
    name,
    type: type as ColumnDefinition['type'],
    ...(format && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

function cellOf({ definition, path }: CompiledColumn, object: KubeObject, now: Date): Cell {
  const value = firstFound(path, object);
  if (value === undefined) return null;
  switch (definition.type) {
    case 'string':
      return printed(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    case 'integer':
      return wholeNumber(value);
    case 'number':
      return typeof value === 'bigint' ? Number(value) : numberOf(value);
  }
}

function firstFound(path: JsonPath, object: KubeObject): JsonValue | undefined {
  try {
    return path(object)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** Go prints nothing for null. */
function printed(value: JsonValue): string {
  if (value === null) return '<no value>';
  const isPlain = typeof value !== 'object' || value instanceof JsonFloat;
  return isPlain ? goPrint(value) : goJson(value, { sortKeys: true });
}

function wholeNumber(value: JsonValue): Cell {
  if (typeof value === 'bigint') return value;
  const number = numberOf(value);
  return number === null ? null : Math.trunc(number);
}

function numberOf(value: JsonValue): number | null {
  if (value instanceof JsonFloat) return value.value;
  return typeof value === 'number' ? value : null;
}

function ageOf(text: string, now: Date): string {
  if (text === '' || text === 'null') return '<unknown>';
  try {
    return humanDuration(now.getTime() - parseTime(text).epochSeconds * 1000);
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}
