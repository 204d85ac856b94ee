/** Tables as servers make them, printed as kubectl prints them. */
import { isJsonObject, stringifyJson, textOf, type JsonObject, type JsonValue } from '@flotilla/kube';

export interface ServerTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly resourceVersion: string;
  readonly continue: string;
}

interface TableColumn {
  readonly name: string;
  /** Above 0: only in a wide table. */
  readonly priority: number;
}

export interface TableRow {
  readonly cells: readonly JsonValue[];
  readonly metadata: JsonObject;
}

/** Servers that make no tables answer with objects: their names are all that is known to be worth a column. */
export function tableIn(answer: JsonObject): ServerTable {
  const metadata = objectIn(answer['metadata']);
  const common = { resourceVersion: textOf(metadata['resourceVersion']), continue: textOf(metadata['continue']) };
  if (answer['kind'] !== 'Table') {
    const items = Array.isArray(answer['items']) ? answer['items'] : [answer];
    const rows = items.map((item) => objectIn(objectIn(item)['metadata']));
    return {
      ...common,
      columns: [{ name: 'Name', priority: 0 }],
      rows: rows.map((one) => ({ cells: [textOf(one['name'])], metadata: one })),
    };
  }
  return {
    ...common,
    columns: listIn(answer['columnDefinitions']).map((column) => ({
      name: textOf(column['name']),
      priority: Number(column['priority'] ?? 0),
    })),
    rows: listIn(answer['rows']).map((row) => ({
      cells: Array.isArray(row['cells']) ? row['cells'] : [],
      metadata: objectIn(objectIn(row['object'])['metadata']),
    })),
  };
}

export interface TableStyle {
  readonly isWide: boolean;
  readonly hasNamespaces: boolean;
  readonly hasLabels: boolean;
  /** Prefix of names, where tables of several kinds follow each other: `pod/`. */
  readonly prefix: string;
}

/** Turns rows into lines. Widths are kept, so that rows of a watch stand below those of the list. */
export class TablePrinter {
  readonly #style: TableStyle;
  readonly #widths: number[] = [];
  #columns: readonly TableColumn[] = [];

  constructor(style: TableStyle) {
    this.#style = style;
  }

  /** With a header, unless there was one before. Events of a watch may leave out the columns. */
  lines({ columns, rows }: Pick<ServerTable, 'columns' | 'rows'>): string[] {
    const hasHeader = this.#columns.length > 0;
    if (columns.length > 0) this.#columns = columns;
    const lines = [...(hasHeader ? [] : [this.#header()]), ...rows.map((row) => this.#row(row))];
    for (const cells of lines) {
      for (const [index, cell] of cells.entries()) {
        this.#widths[index] = Math.max(this.#widths[index] ?? minWidth, cell.length + gap);
      }
    }
    return lines.map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(this.#widths[index] ?? 0))
        .join('')
        .trimEnd(),
    );
  }

  #header(): string[] {
    const { hasNamespaces, hasLabels } = this.#style;
    const titles = this.#columns.filter((column) => this.#shows(column)).map(({ name }) => name.toUpperCase());
    return [...(hasNamespaces ? ['NAMESPACE'] : []), ...titles, ...(hasLabels ? ['LABELS'] : [])];
  }

  #row({ cells, metadata }: TableRow): string[] {
    const { hasNamespaces, hasLabels, prefix } = this.#style;
    const texts = this.#columns.flatMap((column, index) => (this.#shows(column) ? [cellText(cells[index])] : []));
    return [
      ...(hasNamespaces ? [textOf(metadata['namespace'])] : []),
      ...texts.map((text, index) => (index === 0 ? prefix + text : text)),
      ...(hasLabels ? [labelsText(objectIn(metadata['labels']))] : []),
    ];
  }

  #shows({ priority }: TableColumn): boolean {
    return priority === 0 || this.#style.isWide;
  }
}

const gap = 3;
const minWidth = 6;

function cellText(cell: JsonValue | undefined): string {
  if (cell === undefined || cell === null) return '';
  const text = typeof cell === 'string' ? cell : stringifyJson(cell);
  const [first = '', ...rest] = text.split(/[\n\r\f]/);
  // No control character of an object reaches the terminal.
  return first.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ') + (rest.length > 0 ? '...' : '');
}

function labelsText(labels: JsonObject): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${textOf(value)}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}
