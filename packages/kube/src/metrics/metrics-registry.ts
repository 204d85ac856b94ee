/**
 * Counters, gauges and histograms in the Prometheus text format. Written here because little is needed, and the
 * usual library would take a tenth of the start time.
 */
import { MetricFamily, type FamilyOptions, type MetricType, type Series } from './metric-family.ts';
import { Counter, Gauge, Histogram } from './series.ts';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** The default buckets of Prometheus, in seconds. */
const usualBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class MetricsRegistry {
  readonly #families = new Map<string, MetricFamily<Series>>();
  readonly #collectors = new Set<() => void>();

  counter(options: FamilyOptions): MetricFamily<Counter> {
    return this.#family('counter', options, () => new Counter());
  }

  gauge(options: FamilyOptions): MetricFamily<Gauge> {
    return this.#family('gauge', options, () => new Gauge());
  }

  histogram({
    bounds = usualBounds,
    ...options
  }: FamilyOptions & { readonly bounds?: readonly number[] }): MetricFamily<Histogram> {
    return this.#family('histogram', options, () => new Histogram(bounds));
  }

  /**
   * Calls `collect` before each scrape, to set values that are cheaper to compute than to maintain. The returned
   * function removes it.
   */
  beforeScrape(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => this.#collectors.delete(collect);
  }

  text(): string {
    return [...this.pieces()].join('');
  }

  /** The text of all families, sorted by name, in pieces, so that a server can yield between them. */
  *pieces(): Generator<string, void> {
    for (const collect of this.#collectors) collect();
    for (const name of [...this.#families.keys()].sort()) yield* this.#families.get(name)?.pieces() ?? [];
  }

  /** Returns an existing family of the same name: independent controllers share metric names. */
  #family<S extends Series>(type: MetricType, options: FamilyOptions, create: () => S): MetricFamily<S> {
    const existing = this.#families.get(options.name);
    if (existing === undefined) {
      const added = new MetricFamily(type, options, create);
      this.#families.set(options.name, added);
      return added;
    }
    if (existing.type !== type || existing.labels.join() !== (options.labels ?? []).join()) {
      throw new TypeError(`${options.name} is already a ${existing.type} with labels ${existing.labels.join()}`);
    }
    return existing as MetricFamily<S>;
  }
}
