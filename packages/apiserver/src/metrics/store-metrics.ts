import { exponentialBounds, type Counter, type MetricFamily, type MetricsRegistry } from '@flotilla/kube';
import type { Registry } from '../resources/registry.ts';
import type { BatchReport } from '../store/engine/group-commit.ts';
import type { Store } from '../store/store.ts';

/** Counts stored objects at every scrape. Uses the old and the new metric name, because dashboards use both. */
export function objectMetrics(metrics: MetricsRegistry, registry: Registry, store: Store): void {
  const byName = metrics.gauge({
    name: 'apiserver_storage_objects',
    help: 'Stored objects by resource.',
    labels: ['resource'],
  });
  const byGroup = metrics.gauge({
    name: 'apiserver_resource_objects',
    help: 'Stored objects by group and resource.',
    labels: ['group', 'resource'],
  });
  const revision = metrics.gauge({ name: 'flotilla_store_revision', help: 'The newest visible revision.' });
  const compacted = metrics.gauge({
    name: 'flotilla_store_compacted_revision',
    help: 'The oldest revision that a watch can start from.',
  });
  let shown = new Map<string, { readonly group: string; readonly plural: string }>();
  metrics.beforeScrape(() => {
    const now = storedCollections(registry);
    for (const [collection, { group, plural }] of shown) {
      if (now.has(collection)) continue;
      byName.without(collection);
      byGroup.without(group, plural);
    }
    for (const [collection, { group, plural }] of now) {
      const count = store.count(collection);
      byName.with(collection).set(count);
      byGroup.with(group, plural).set(count);
    }
    shown = now;
    revision.with().set(store.revision);
    compacted.with().set(store.compactedRevision);
  });
}

function storedCollections(registry: Registry): Map<string, { readonly group: string; readonly plural: string }> {
  const groups = [...registry.groups()];
  const resources = groups.flatMap(({ versions }) => versions.flatMap((version) => version.resources));
  const stored = resources.filter(({ verbs }) => verbs.includes('watch'));
  return new Map(stored.map(({ collection, group, plural }) => [collection, { group, plural }]));
}

export function watchEventMetrics(metrics: MetricsRegistry): MetricFamily<Counter> {
  return metrics.counter({
    name: 'apiserver_watch_events_total',
    help: 'Events sent to watches.',
    labels: ['group', 'resource', 'version'],
  });
}

/** Metrics of writes to disk. The returned function is called for every batch, synced or failed. */
export function batchMetrics(metrics: MetricsRegistry): (report: BatchReport) => void {
  const events = metrics
    .histogram({
      name: 'flotilla_store_batch_events',
      help: 'Events in one sync to disk.',
      bounds: exponentialBounds(1, 4, 6),
    })
    .with();
  const seconds = metrics
    .histogram({
      name: 'flotilla_store_sync_duration_seconds',
      help: 'Time until a batch is durable, in seconds.',
      bounds: exponentialBounds(0.0001, 2, 15),
    })
    .with();
  const failures = metrics
    .counter({ name: 'flotilla_store_sync_failures_total', help: 'Batches that could not be written to disk.' })
    .with();
  return (report) => {
    events.observe(report.events);
    seconds.observe(report.seconds);
    if (!report.isDurable) failures.add();
  };
}
