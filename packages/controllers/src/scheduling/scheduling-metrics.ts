import type { MetricsRegistry } from '@flotilla/kube';
import type { TurnObserver } from '@flotilla/runtime';

/** KubeFleet's bounds, in milliseconds. */
const bounds = [10, 50, 100, 500, 1000, 5000, 10_000, 50_000];

/** KubeFleet's metrics of its scheduler, for both families together. A lost race needs a requeue and is no failure. */
export function observeScheduling(metrics: MetricsRegistry): TurnObserver {
  const cycles = metrics.histogram({
    name: 'scheduling_cycle_duration_milliseconds',
    help: 'The duration of a scheduling cycle run in milliseconds',
    labels: ['is_failed', 'needs_requeue'],
    bounds,
  });
  const active = metrics
    .gauge({ name: 'scheduling_active_workers', help: 'Number of currently running scheduling loop', labels: [] })
    .with();
  return {
    began: () => active.add(),
    ended: (result, seconds) => {
      active.add(-1);
      const needsRequeue = result === 'requeue' || result === 'requeue_after';
      cycles.with(String(result === 'error'), String(needsRequeue)).observe(seconds * 1000);
    },
  };
}
