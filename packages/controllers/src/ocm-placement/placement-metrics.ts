/** OCM's metrics of its scheduling controller. */
import { exponentialBounds, type MetricsRegistry } from '@flotilla/kube';
import type { Measure } from '@flotilla/ocm';
import type { TurnObserver } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

/** From a microsecond to a thousand seconds. */
const bounds = exponentialBounds(1e-6, 10, 10);
const name = 'placement_scheduling';

export interface SchedulingMeter {
  readonly measure: Measure;
  readonly observer: TurnObserver;
  /** Call when the decisions are known and begin to be written. */
  readonly decided: () => void;
}

/** For a controller with one worker, whose turns do not overlap. */
export function measureScheduling(metrics: MetricsRegistry, clock: Pick<Clock, 'elapsed'>): SchedulingMeter {
  const histogram = (part: string, help: string) =>
    metrics.histogram({ name: `scheduling_${part}_duration_seconds`, help, labels: ['name'], bounds }).with(name);
  const schedules = histogram('scheduling', 'How long it took until decisions were known, in seconds.');
  const writes = histogram('bind', 'How long it took to write decisions, in seconds.');
  const expressions = histogram(
    'cel_runtime',
    'How long the expressions of one selector ran for one cluster, in seconds.',
  );
  const plugins = metrics.histogram({
    name: 'scheduling_plugin_duration_seconds',
    help: 'How long a plugin ran, in seconds.',
    labels: ['name', 'plugin_type', 'plugin_name'],
    bounds,
  });
  let startedAt = 0;
  let decidedAt: number | undefined;
  const secondsSince = (moment: number): number => (clock.elapsed() - moment) / 1000;
  return {
    measure: (type, plugin, run) => {
      const began = clock.elapsed();
      try {
        return run();
      } finally {
        const histogramOf = type === 'expressions' ? expressions : plugins.with(name, type, plugin);
        histogramOf.observe(secondsSince(began));
      }
    },
    observer: {
      began: () => {
        startedAt = clock.elapsed();
        decidedAt = undefined;
      },
      ended: () => {
        if (decidedAt !== undefined) writes.observe(secondsSince(decidedAt));
      },
    },
    decided: () => {
      decidedAt = clock.elapsed();
      schedules.observe(secondsSince(startedAt));
    },
  };
}
