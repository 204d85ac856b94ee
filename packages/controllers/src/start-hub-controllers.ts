import type { Client } from '@flotilla/client';
import type { Logger, MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, InformerSet, runControllers, type Controller } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { clusterProfileController } from './cluster-profile/controller.ts';
import { clustersController } from './clusters/controller.ts';
import { defaultMembership, type MembershipSettings } from './clusters/member-state.ts';
import { countMemberships } from './clusters/membership-metrics.ts';

/** How a hub looks after its members; everything as KubeFleet has it when nothing is said. */
export interface HubSettings extends Partial<MembershipSettings> {
  /** After how long without a heartbeat a cluster counts as unhealthy in its profile; a minute. */
  readonly unhealthyAfterMs?: number;
  /** Whether members are shown as ClusterProfiles; they are when nothing is said. */
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
  /** When every stage has seen all that it watches. */
  readonly ready: Promise<void>;
  /** Nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  /** Finishes what is in work, and begins nothing more. */
  readonly stop: () => Promise<void>;
}

/** The stages of the hub, over any API server that knows the fleet's kinds. */
export function startHubControllers(options: HubControllersOptions): HubControllers {
  const { client, clock, turns, random, logger, metrics } = options;
  const informers = new InformerSet({ client, clock, turns, random, logger });
  const events = new EventRecorder({ client, clock, random, logger });
  const stopCounting = countMemberships(informers, metrics);
  const controllers = stages(options);
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

function stages({ clock, settings = {} }: HubControllersOptions): Controller[] {
  const { unhealthyAfterMs = 60_000, clusterProfiles = true, ...membership } = settings;
  const listeningSince = new Date(clock.now());
  return [
    clustersController({ ...defaultMembership, ...membership }),
    ...(clusterProfiles ? [clusterProfileController({ unhealthyAfterMs, listeningSince })] : []),
  ];
}
