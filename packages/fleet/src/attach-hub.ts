import { fleetNamespace } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startHubControllers, type HubControllers, type HubSettings } from '@flotilla/controllers';
import { MetricsRegistry, silentLogger, type Logger } from '@flotilla/kube';
import { LeaderElection, type LeaderElectionOptions } from '@flotilla/runtime';
import { systemClock, whenAborted, type Clock } from '@flotilla/timing';
import { furnishHub, makeFleetNamespace } from './install-hub.ts';

export interface AttachHubOptions {
  /** To any Kubernetes API server. Whoever made it closes it. */
  readonly client: Client;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** How it looks after its members. */
  readonly settings?: HubSettings;
  /** Where several stand by and one works; without it this is the only one. */
  readonly election?: HubElection;
}

export interface HubElection extends Pick<
  LeaderElectionOptions,
  'identity' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
> {
  readonly namespace?: string;
}

/** The hub's controllers, at work on somebody else's server. */
export interface AttachedHub {
  /** When they first work there. */
  readonly working: Promise<void>;
  /** Settles when they have stopped; rejects when they could not begin. */
  readonly stopped: Promise<void>;
  readonly isLeader: () => boolean;
  /** Whether they have nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** KubeFleet's hub agents and ours stand in one election, so that never two look after the same members. */
const leaseName = '136224848560.hub.fleet.azure.com';

/** KubeFleet's times. */
const electionTimes = { leaseDurationMs: 60_000, renewDeadlineMs: 45_000, retryPeriodMs: 5000 };

/** Runs the hub's controllers against an API server, and gives it the fleet's kinds first. */
export function attachHub(options: AttachHubOptions): AttachedHub {
  const stopping = new AbortController();
  const working = Promise.withResolvers<void>();
  let controllers: HubControllers | undefined;

  const work = async (signal: AbortSignal): Promise<void> => {
    await furnishHub(options.client, signal);
    controllers = startHubControllers(dependenciesOf(options));
    try {
      await Promise.race([controllers.ready, whenAborted(signal)]);
      working.resolve();
      await whenAborted(signal);
    } finally {
      await controllers.stop();
      controllers = undefined;
    }
  };
  const stopped = run(options, work, stopping.signal);
  // Who waits for the first of them hears of it, too.
  stopped.then(() => working.resolve(), working.reject);
  working.promise.catch(() => undefined);
  return {
    working: working.promise,
    stopped,
    isLeader: () => controllers !== undefined,
    isAtRest: () => controllers?.isAtRest() ?? true,
    stop: async () => {
      stopping.abort();
      await stopped;
    },
  };
}

type Work = (signal: AbortSignal) => Promise<void>;

async function run(options: AttachHubOptions, work: Work, signal: AbortSignal): Promise<void> {
  try {
    if (options.election === undefined) return await work(signal);
    await makeFleetNamespace(options.client);
    // Who has lost the lease stands by again.
    while (!signal.aborted) await electionOf(options, options.election).run(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function electionOf(options: AttachHubOptions, election: HubElection): LeaderElection {
  const { namespace = fleetNamespace, ...candidate } = election;
  const { client, clock, random, logger, metrics } = dependenciesOf(options);
  const lease = { namespace, name: leaseName };
  return new LeaderElection({ client, clock, random, logger, metrics, lease, ...electionTimes, ...candidate });
}

function dependenciesOf(options: AttachHubOptions) {
  const { client, clock = systemClock, random = Math.random, settings = {} } = options;
  const { logger = silentLogger, metrics = new MetricsRegistry() } = options;
  return { client, clock, random, logger, metrics, settings };
}
