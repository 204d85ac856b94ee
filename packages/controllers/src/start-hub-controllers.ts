import type { Client } from '@flotilla/client';
import { apiServices, customResourceDefinitions, type Logger, type MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, InformerSet, runControllers, ServedKinds } from '@flotilla/runtime';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { countMemberships } from './clusters/membership-metrics.ts';
import { KindScopes } from './family/kind-scopes.ts';
import type { HubSettings } from './hub-settings.ts';
import { measurePlacements } from './placement/status/status-metrics.ts';
import { enabledControllers, isStageEnabled } from './stages.ts';

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
  /** Resolves when every controller's informers have synced. */
  readonly ready: Promise<void>;
  /** True when no controller has work before a change or a timer. */
  readonly isAtRest: () => boolean;
  /** Waits for the keys in work, and takes up no more. */
  readonly stop: () => Promise<void>;
}

/** Starts the hub's controllers against any API server that serves the fleet's kinds. */
export function startHubControllers(options: HubControllersOptions): HubControllers {
  const { client, clock, turns = new LoopTurns(), random, logger, metrics, settings = {} } = options;
  const informers = new InformerSet({ client, clock, turns, random, logger });
  const events = new EventRecorder({ client, clock, turns, random, logger });
  const served = new ServedKinds({ client, clock, informers, definers: [customResourceDefinitions, apiServices] });
  const { isClusterScoped, servedKind } = new KindScopes(served, logger);
  const startedAt = new Date(clock.now());
  const controllers = enabledControllers({
    ...options,
    turns,
    settings,
    informers,
    startedAt,
    served,
    isClusterScoped,
    servedKind,
  });
  const measurements = [
    ...(isStageEnabled('clusters', settings.controllers) ? [countMemberships(informers, metrics)] : []),
    ...(isStageEnabled('placement', settings.controllers) ? [measurePlacements({ informers, metrics, clock })] : []),
  ];
  const running = runControllers({ client, clock, turns, random, logger, metrics, informers, events, controllers });
  return {
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
