/** OCM's metrics of its scheduling controller. */
import { exponentialBounds, type MetricsRegistry } from '@flotilla/kube';
import type { Measure } from '@flotilla/ocm';
import type { TurnObserver } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

/** From a microsecond to a thousand seconds. */
const bounds = exponentialBounds(1e-6, 10, 10);
const labels = ['name'];
const name = 'placement_scheduling';

export function measureScheduling(
  metrics: MetricsRegistry,
  clock: Pick<Clock, 'elapsed'>,
): { readonly measure: Measure; readonly observer: TurnObserver } {
  const plugins = metrics.histogram({
    name: 'scheduling_plugin_duration_seconds',
    help: 'How long a plugin ran, in seconds.',
    labels: ['name', 'plugin_type', 'plugin_name'],
    bounds,
  });
  const schedules = metrics
    .histogram({
      name: 'scheduling_scheduling_duration_seconds',
      help: 'How long a schedule took, in seconds.',
      labels,
      bounds,
    })
    .with(name);
  return {
    measure: (type, plugin, run) => {
      const startedAt = clock.elapsed();
      try {
        return run();
      } finally {
        plugins.with(name, type, plugin).observe((clock.elapsed() - startedAt) / 1000);
      }
    },
    observer: { began: () => {}, ended: (_result, seconds) => schedules.observe(seconds) },
  };
}
