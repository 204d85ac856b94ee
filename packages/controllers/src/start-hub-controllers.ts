import type { Client } from '@flotilla/client';
import { apiServices, customResourceDefinitions, type Logger, type MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, InformerSet, runControllers, ServedKinds, type HeldInformer } from '@flotilla/runtime';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { countMemberships } from './clusters/membership-metrics.ts';
import { measureEvictions } from './disruption/eviction-metrics.ts';
import { KindScopes } from './family/kind-scopes.ts';
import type { StateTimesDependencies } from './family/state-times.ts';
import type { HubSettings } from './hub-settings.ts';
import { PlacementDebug } from './ocm-placement/placement-debug.ts';
import { measurePlacements } from './placement/status/status-metrics.ts';
import { enabledControllers, isStageEnabled } from './stages.ts';
import { measureUpdateRuns } from './update-runs/run-metrics.ts';

export interface HubControllersOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Of the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly settings?: HubSettings;
}

export interface HubControllers {
  /** Explains OCM Placements. */
  readonly placementDebug: PlacementDebug;
  /** Resolves when every controller's informers have synced. */
  readonly ready: Promise<void>;
  /** True when no controller has work before a change or a timer. */
  readonly isAtRest: () => boolean;
  /** Waits for the keys in work, and takes up no more. */
  readonly stop: () => Promise<void>;
}

/** By the stage that writes what is measured. */
const measured: readonly {
  stage: string;
  measure: (dependencies: StateTimesDependencies) => HeldInformer['release'];
}[] = [
  { stage: 'clusters', measure: ({ informers, metrics }) => countMemberships(informers, metrics) },
  { stage: 'placement', measure: measurePlacements },
  { stage: 'update-runs', measure: measureUpdateRuns },
  { stage: 'evictions', measure: measureEvictions },
];

/** Starts the hub's controllers against any API server that serves the fleet's kinds. */
export function startHubControllers(options: HubControllersOptions): HubControllers {
  const { client, clock, turns = new LoopTurns(), random, logger, metrics, settings = {} } = options;
  const informers = new InformerSet({ client, clock, turns, random, logger });
  const events = new EventRecorder({ client, clock, turns, random, logger });
  const served = new ServedKinds({ client, clock, informers, definers: [customResourceDefinitions, apiServices] });
  const { isClusterScoped, servedKind } = new KindScopes(served, logger);
  const startedAt = new Date(clock.now());
  const placementDebug = new PlacementDebug();
  const controllers = enabledControllers({
    ...options,
    placementDebug,
    turns,
    settings,
    informers,
    startedAt,
    served,
    isClusterScoped,
    servedKind,
  });
  const measurements = measured
    .filter(({ stage }) => isStageEnabled(stage, settings.controllers))
    .map(({ measure }) => measure({ informers, metrics, clock }));
  const retryLimits = { maxMs: 60_000, ...settings.retryLimits };
  const shared = { client, clock, turns, random, logger, metrics, informers, events };
  const running = runControllers({ ...shared, controllers, retryLimits });
  return {
    placementDebug,
    ready: running.ready,
    isAtRest: () => running.isAtRest() && running.health().every(({ failing }) => failing === 0),
    stop: async () => {
      await running.stop();
      await served.stop();
      await Promise.all(measurements.map((stop) => stop()));
      await events.stop();
    },
  };
}
