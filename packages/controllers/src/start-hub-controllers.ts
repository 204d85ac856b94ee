import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, InformerSet, runControllers, type Controller } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { clusterProfileController } from './cluster-profile/controller.ts';
import { clustersController } from './clusters/controller.ts';
import { defaultMembership, type MembershipSettings } from './clusters/member-state.ts';
import { countMemberships } from './clusters/membership-metrics.ts';

/** Settings of the hub's controllers. Defaults are KubeFleet's. */
export interface HubSettings extends Partial<MembershipSettings> {
  /** A ClusterProfile turns unhealthy after this long without a heartbeat. Default: a minute. */
  readonly unhealthyAfterMs?: number;
  /** Whether members get ClusterProfiles. Default: true. */
  readonly clusterProfiles?: boolean;
}

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
  const { client, clock, turns, random, logger, metrics } = options;
  const informers = new InformerSet({ client, clock, turns, random, logger });
  const events = new EventRecorder({ client, clock, turns, random, logger });
  const stopCounting = countMemberships(informers, metrics);
  const controllers = hubControllers(options);
  const running = runControllers({ client, clock, turns, random, logger, metrics, informers, events, controllers });
  return {
    ready: running.ready,
    isAtRest: () => running.isAtRest() && running.health().every(({ failing }) => failing === 0),
    stop: async () => {
      await running.stop();
      await stopCounting();
      await events.stop();
    },
  };
}

function hubControllers({ clock, settings = {} }: HubControllersOptions): Controller[] {
  const { unhealthyAfterMs = 60_000, clusterProfiles = true, ...membership } = settings;
  const listeningSince = new Date(clock.now());
  return [
    clustersController({ ...defaultMembership, ...membership }),
    ...(clusterProfiles ? [clusterProfileController({ unhealthyAfterMs, listeningSince })] : []),
  ];
}
