import type { MemberCluster } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';
import { ClusterRow, Unreadable } from './cluster-row.ts';

/** The smallest and the largest value of a property, as doubles. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The values of a label, numbered in the order of the clusters that have them first. */
export interface LabelValues {
  readonly values: readonly string[];
  /** By position of a cluster; -1 if it lacks the label. */
  readonly numbers: Int32Array;
}

/** The clusters of one moment, in the order of their names. */
export class ClusterView {
  readonly rows: readonly ClusterRow[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #ranges = new Map<string, Range>();
  readonly #labels = new Map<string, LabelValues>();

  constructor(rows: readonly ClusterRow[]) {
    this.rows = rows.toSorted((a, b) => compareBytes(a.name, b.name));
    this.#positions = new Map(this.rows.map(({ name }, position) => [name, position]));
  }

  position(name: string): number | undefined {
    return this.#positions.get(name);
  }

  row(name: string): ClusterRow | undefined {
    const position = this.#positions.get(name);
    return position === undefined ? undefined : this.rows[position];
  }

  /** Of all clusters that report the property, whatever their state: KubeFleet's suite asserts scores that depend on it. */
  range(property: string): Range {
    const known = this.#ranges.get(property);
    if (known !== undefined) return known;
    let min = Infinity;
    let max = -Infinity;
    for (const row of this.rows) {
      const reading = row.reading(property);
      if (reading === undefined || reading instanceof Unreadable) continue;
      min = Math.min(min, reading.approximate);
      max = Math.max(max, reading.approximate);
    }
    const range = { min, max };
    if (this.#ranges.size < maxMemos) this.#ranges.set(property, range);
    return range;
  }

  labelValues(key: string): LabelValues {
    const known = this.#labels.get(key);
    if (known !== undefined) return known;
    const numbered = new Map<string, number>();
    const numbers = new Int32Array(this.rows.length).fill(-1);
    for (const [position, row] of this.rows.entries()) {
      const value = row.label(key);
      if (value === undefined) continue;
      const number = numbered.get(value) ?? numbered.size;
      numbered.set(value, number);
      numbers[position] = number;
    }
    const labelValues = { values: [...numbered.keys()], numbers };
    if (this.#labels.size < maxMemos) this.#labels.set(key, labelValues);
    return labelValues;
  }
}

/** Policies name properties and labels freely: what is kept for them must not grow with their number. */
const maxMemos = 256;

/** Prepares clusters for decisions, and prepares again only those that changed since the last time. */
export class ClusterTable {
  #clusters: readonly Readonly<MemberCluster>[] = [];
  #view = new ClusterView([]);

  /** Objects are compared by identity, so callers must replace an object to change it, as informers do. */
  view(clusters: readonly Readonly<MemberCluster>[]): ClusterView {
    if (!isSame(clusters, this.#clusters)) {
      this.#view = new ClusterView(clusters.map((cluster) => this.#row(cluster)));
      this.#clusters = [...clusters];
    }
    return this.#view;
  }

  #row(cluster: Readonly<MemberCluster>): ClusterRow {
    const known = this.#view.row(cluster.metadata.name ?? '');
    return known?.cluster === cluster ? known : new ClusterRow(cluster);
  }
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
