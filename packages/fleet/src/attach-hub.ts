import { fleetNamespace } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  stageNames,
  startHubControllers,
  type HubControllers,
  type HubSettings,
  type PlacementDebug,
  type StageNames,
} from '@flotilla/controllers';
import { MetricsRegistry, silentLogger, type Logger } from '@flotilla/kube';
import { LeaderElection, type LeaderElectionOptions } from '@flotilla/runtime';
import { systemClock, whenAborted, type Clock } from '@flotilla/timing';
import { attachedSettings } from './attached-settings.ts';
import { installHub, ensureFleetNamespace } from './install-hub.ts';
import { installPolicies } from './policies/install-policies.ts';

export interface AttachHubOptions {
  /** For any Kubernetes API server. The caller closes it. */
  readonly client: Client;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  readonly settings?: HubSettings;
  /** Leader election among several replicas. Without it, this is the only one. */
  readonly election?: HubElection;
}

export interface HubElection extends Pick<
  LeaderElectionOptions,
  'identity' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
> {
  readonly namespace?: string;
}

/** The hub's controllers, running against an existing server. */
export interface AttachedHub {
  /** Resolves when the controllers are ready for the first time. */
  readonly started: Promise<void>;
  /** Resolves when they have stopped. Rejects if they cannot start. */
  readonly stopped: Promise<void>;
  readonly isLeader: () => boolean;
  /** Known when the controllers have started. */
  readonly stages: () => StageNames;
  /** Explains OCM Placements while these controllers schedule them. */
  readonly placementDebug: Pick<PlacementDebug, 'explain'>;
  /** Whether they have nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** KubeFleet's lease, so that its hub agent and ours never work at the same time. */
export const hubLease = '136224848560.hub.fleet.azure.com';

/** KubeFleet's times. */
const electionTimes = { leaseDurationMs: 60_000, renewDeadlineMs: 45_000, retryPeriodMs: 5000 };

/** Installs the fleet's CRDs in an API server, then runs the hub's controllers against it. */
export function attachHub(options: AttachHubOptions): AttachedHub {
  const stopping = new AbortController();
  const started = Promise.withResolvers<void>();
  let controllers: HubControllers | undefined;
  let stages: StageNames = { running: [], leftToOcm: [] };

  const work = async (signal: AbortSignal): Promise<void> => {
    const settings = await attachedSettings(options.client, options.settings ?? {}, signal);
    await installHub(options.client, { signal, leavesOcmKinds: settings.isOcmInstalled === true });
    stages = stageNames(settings);
    const dependencies = dependenciesOf(options);
    logStages(dependencies.logger, stages);
    controllers = startHubControllers({ ...dependencies, settings });
    try {
      await Promise.race([controllers.ready, whenAborted(signal)]);
      started.resolve();
      await whenAborted(signal);
    } finally {
      await controllers.stop();
      controllers = undefined;
    }
  };
  const stopped = run(options, work, stopping.signal);
  // A caller that awaits only `started` must see a failed start, too.
  stopped.then(() => started.resolve(), started.reject);
  started.promise.catch(() => undefined);
  return {
    started: started.promise,
    stopped,
    isLeader: () => controllers !== undefined,
    stages: () => stages,
    placementDebug: {
      get explain() {
        return controllers?.placementDebug.explain;
      },
    },
    isAtRest: () => controllers?.isAtRest() ?? true,
    stop: async () => {
      stopping.abort();
      await stopped;
    },
  };
}

function logStages(logger: Logger, { running, leftToOcm }: StageNames): void {
  logger.info('controllers starting', {
    controllers: running.join(),
    ...(leftToOcm.length > 0 && { leftToOcm: leftToOcm.join() }),
  });
}

type Work = (signal: AbortSignal) => Promise<void>;

async function run(options: AttachHubOptions, work: Work, signal: AbortSignal): Promise<void> {
  try {
    // Every replica: policies must not wait for a leader.
    const { admissionPolicies } = options.settings ?? {};
    if (admissionPolicies) await installPolicies(options.client, admissionPolicies);
    if (options.election === undefined) return await work(signal);
    await ensureFleetNamespace(options.client);
    // A replica that has lost the lease becomes a candidate again.
    while (!signal.aborted) await electionOf(options, options.election).run(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function electionOf(options: AttachHubOptions, election: HubElection): LeaderElection {
  const { namespace = fleetNamespace, ...candidate } = election;
  const { client, clock, random, logger, metrics } = dependenciesOf(options);
  const lease = { namespace, name: hubLease };
  return new LeaderElection({ client, clock, random, logger, metrics, lease, ...electionTimes, ...candidate });
}

function dependenciesOf(options: AttachHubOptions) {
  const { client, clock = systemClock, random = Math.random } = options;
  const { logger = silentLogger, metrics = new MetricsRegistry() } = options;
  return { client, clock, random, logger, metrics };
}
