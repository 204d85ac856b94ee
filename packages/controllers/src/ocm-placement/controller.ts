import { PlacementScheduler } from '@flotilla/ocm';
import type { Controller } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { decidePlacement } from './decide.ts';
import type { PlacementDebug } from './placement-debug.ts';
import type { SchedulingMeter } from './placement-metrics.ts';
import type { PlacementState } from './placement-state.ts';
import { PlacementView } from './placement-view.ts';

export interface OcmPlacementDependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly meter: SchedulingMeter;
  readonly debug: PlacementDebug;
}

/** Decides which ManagedClusters OCM's Placements select: writes PlacementDecisions and the status of Placements. */
export function ocmPlacementController(dependencies: OcmPlacementDependencies): Controller<PlacementState> {
  const { clock, meter, debug } = dependencies;
  const scheduler = new PlacementScheduler(meter.measure);
  const view = new PlacementView(clock);
  return {
    name: 'ocm-placement',
    eventSource: 'placement-controller',
    // One at a time, as in OCM: Balance counts what was decided before.
    workers: 1,
    observer: meter.observer,
    watches: view.watches().map((watched) => ({
      ...watched,
      concerns: (now, old, cache) => {
        debug.attach((placement) => view.explain(placement, cache));
        return watched.concerns(now, old, cache);
      },
    })),
    observe: (key, cache) => view.observe(key, cache),
    decide: (state, now) => {
      const plan = decidePlacement(state, scheduler, now);
      view.own.planned(plan);
      meter.decided();
      return plan;
    },
  };
}
