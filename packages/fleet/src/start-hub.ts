import { clusterProfileFinalizer, memberClusterFinalizer } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startHubControllers, type HubControllers, type HubSettings } from '@flotilla/controllers';
import { administrator, silentLogger, type User } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { systemClock } from '@flotilla/timing';
import { fleetAdmission } from './admission/embedded-admission.ts';
import { checkSettingsOf } from './admission/fleet-checks.ts';
import { hubHeavy } from './hub-heavy.ts';
import type { HubSimulator } from './hub-simulator.ts';
import { installHub, ensureHubRole, hubUser } from './install-hub.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { PlacementDebugPath, placementDebugPath, Refused, type ClientOfCaller } from './placement-debug-path.ts';
import { installPolicies } from './policies/install-policies.ts';
import { simulatedKubelets } from './simulated-kubelets.ts';
import { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';

export interface StartHubOptions extends Omit<StartServerOptions, 'bare' | 'addedPart'> {
  readonly settings?: HubSettings;
  /** CustomResourceDefinitions to install beside the fleet's. */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** Simulates workloads on the hub, too. */
  readonly simulator?: HubSimulator | undefined;
}

export interface RunningHub {
  readonly url: string;
  readonly port: number;
  /** The administrator's access: entries for a kubeconfig, and a whole one as text. */
  readonly access: Kubeconfig;
  readonly kubeconfig: string;
  readonly server: RunningServer;
  /** The finalizers that its controllers put on every MemberCluster. */
  readonly memberFinalizers: readonly string[];
  /** An in-process client, by default as administrator. The caller closes it. */
  readonly client: (user?: User) => Promise<Client>;
  /** Whether its controllers and its housekeeping have nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Starts a hub: an API server with the fleet's admission, the fleet's CRDs, and the hub's controllers. */
export async function startHub(options: StartHubOptions = {}): Promise<RunningHub> {
  const checks = checkSettingsOf(options.settings ?? {});
  // The simulator runs workloads, so that the hub must accept them.
  const pluginSettings = { ...checks, runsWorkloads: checks.runsWorkloads || options.simulator !== undefined };
  const admission = [fleetAdmission(pluginSettings), ...(options.server?.admission ?? [])];
  const debug = new PlacementDebugPath();
  const kubelets = options.simulator && simulatedKubelets;
  const server = await startServer({
    ...options,
    server: { ...options.server, admission, kubelets },
    heavy: { ...hubHeavy, pluginSettings },
    addedPart: 'hub',
    paths: new Map([[placementDebugPath, debug.handle]]),
  });
  try {
    const { url, port, access, kubeconfig } = server;
    const { isAtRest, stop, placementDebug } = await startControllers(server, options);
    debug.open({ debug: placementDebug, clientOf: clientOfUser(server), turns: server.turns });
    return {
      url,
      port,
      access,
      kubeconfig,
      server,
      memberFinalizers: finalizersOf(options.settings),
      client: (user = administrator) => server.clientAs(user),
      isAtRest: () => isAtRest() && server.isAtRest(),
      stop: async () => {
        await stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** RBAC has admitted the user to the path before. */
function clientOfUser({ clientAs }: RunningServer): ClientOfCaller {
  return async ({ user }) => {
    if (user === undefined) throw new Refused(401, 'no user');
    return clientAs(user);
  };
}

async function startControllers(
  server: RunningServer,
  options: StartHubOptions,
): Promise<Pick<RunningHub, 'isAtRest' | 'stop'> & Pick<HubControllers, 'placementDebug'>> {
  const { clock = systemClock, random = Math.random, logger = silentLogger, settings = {} } = options;
  const owner = await server.clientAs(administrator);
  const installed = { further: options.definitions, hasDefinitions: server.hasAddedPart };
  await Promise.all([installHub(owner, installed), ensureHubRole(owner, settings.networkingAgents ?? false)]);
  if (settings.admissionPolicies) await installPolicies(owner, settings.admissionPolicies);
  await owner.close();
  const client = await server.clientAs(hubUser, 'flotilla-hub');
  const { metrics, turns } = server;
  const controllers = startHubControllers({ client, clock, turns, random, logger, metrics, settings });
  const simulator = options.simulator && (await importSimulator())(server, options.simulator, options);
  await controllers.ready;
  const simulated = await simulator;
  return {
    placementDebug: controllers.placementDebug,
    isAtRest: () => controllers.isAtRest() && simulated?.isAtRest() !== false,
    stop: async () => {
      await simulated?.stop();
      await controllers.stop();
      await client.close();
    },
  };
}

function finalizersOf({ clusterProfiles = true }: HubSettings = {}): string[] {
  return [memberClusterFinalizer, ...(clusterProfiles ? [clusterProfileFinalizer] : [])];
}

/** Most hubs simulate nothing. */
async function importSimulator() {
  const { startHubSimulator } = await import('./hub-simulator.ts');
  return startHubSimulator;
}
