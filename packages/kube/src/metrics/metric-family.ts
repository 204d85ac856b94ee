import { sampleValue } from './series.ts';

export interface FamilyOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The samples of one combination of label values. */
export interface Series {
  samples(): Iterable<Sample>;
}

export interface Sample {
  /** After the family's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string;
  /** The `le` label of a bucket, printed after the labels of the family. */
  readonly extraLabel?: readonly [name: string, value: string];
  readonly value: number;
}

/** Between the values of a key. Names, verbs and codes do not have it. */
const separator = '\u0000';

/** Printing this many lines takes about 1 ms. */
const linesOfPiece = 1000;

/** A metric with one series for each combination of label values. Hot paths should keep their series. */
export class MetricFamily<S extends Series> {
  readonly type: MetricType;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly #create: () => S;
  /** By label values. The labels are printed only when they are read: most series of most members never are. */
  readonly #series = new Map<string, S>();

  constructor(type: MetricType, { name, help, labels = [] }: FamilyOptions, create: () => S) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.#create = create;
  }

  /** The series of these label values, in the order of the label names. */
  with(...values: readonly string[]): S {
    const key = values.length === 1 ? (values[0] ?? '') : values.join(separator);
    return this.#series.get(key) ?? this.#add(key, values);
  }

  /** Adds a series that its owner has counted in before the family was needed. */
  put(series: S, ...values: readonly string[]): void {
    const key = values.join(separator);
    if (this.#series.get(key) !== series) this.#add(key, values, series);
  }

  without(...values: readonly string[]): void {
    this.#series.delete(values.join(separator));
  }

  /** The Prometheus text in pieces. Empty for a family without series. */
  *pieces(): Generator<string, void> {
    if (this.#series.size === 0) return;
    const lines = [`# HELP ${this.name} ${escapeHelp(this.help)}`, `# TYPE ${this.name} ${this.type}`];
    for (const key of [...this.#series.keys()].sort()) {
      this.#print(key, lines);
      if (lines.length < linesOfPiece) continue;
      yield `${lines.join('\n')}\n`;
      lines.length = 0;
    }
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }

  #add(key: string, values: readonly string[], series = this.#create()): S {
    if (values.length !== this.labels.length) {
      throw new RangeError(`${this.name} has ${this.labels.length} labels, not ${values.length}`);
    }
    this.#series.set(key, series);
    return series;
  }

  #print(key: string, lines: string[]): void {
    const series = this.#series.get(key);
    if (series === undefined) return;
    const values = this.labels.length === 1 ? [key] : key.split(separator);
    const own = this.labels.map((name, index) => label(name, values[index] ?? '')).join(',');
    for (const { suffix = '', extraLabel, value } of series.samples()) {
      const extra = extraLabel === undefined ? '' : label(...extraLabel);
      const labels = own === '' || extra === '' ? own + extra : `${own},${extra}`;
      lines.push(`${this.name}${suffix}${labels === '' ? '' : `{${labels}}`} ${sampleValue(value)}`);
    }
  }
}

function label(name: string, value: string): string {
  const escaped = /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;
  return `${name}="${escaped}"`;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
