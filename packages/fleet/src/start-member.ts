import { memberDefinitions } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  administrator,
  authenticatedGroup,
  controllerManager,
  mastersGroup,
  silentLogger,
  type User,
} from '@flotilla/kube';
import { startAgent } from '@flotilla/member';
import { installNodes, startSimulator } from '@flotilla/simulator';
import { systemClock, type Clock } from '@flotilla/timing';
import type { EmbeddedServer, Install } from './embedded-servers.ts';
import { installDefinitions } from './install-definitions.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { memberUser, registerMember } from './member-credentials.ts';
import { untilReadyToJoin } from './ready-to-join.ts';
import type { RunningHub } from './start-hub.ts';
import type { StartServerOptions } from './start-server.ts';

export interface StartMemberOptions extends Pick<StartServerOptions, 'clock' | 'random' | 'logger'> {
  /** The member shares its process, port and storage. */
  readonly hub: RunningHub;
  readonly name: string;
}

/** An embedded cluster that is a member of a fleet: an API server, a simulator and an agent. */
export interface RunningMember {
  readonly name: string;
  readonly url: string;
  /** The administrator's access, valid for this member only. */
  readonly access: Kubeconfig;
  /** An in-process client, by default as administrator. The caller closes it. */
  readonly client: (user?: User) => Client;
  /** Whether the member has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const agentUser: User = { name: 'flotilla-agent', groups: [mastersGroup, authenticatedGroup] };

/** Starts a cluster in the hub's process, registers it with the hub, and starts its agent. */
export async function startMember(options: StartMemberOptions): Promise<RunningMember> {
  const { hub, name, clock = systemClock } = options;
  const registered = register(hub, name);
  // Awaited below, once the server has started.
  registered.catch(() => undefined);
  const server = await hub.server.embed(name, installMember(clock));
  try {
    await registered;
    const running = await startSimulatorAndAgent(server, options);
    return {
      name,
      url: server.url,
      access: server.access,
      client: (user = administrator) => server.clientAs(user),
      isAtRest: () => server.isAtRest() && running.isAtRest(),
      stop: async () => {
        await running.stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Installs nodes, and the CRD AppliedWork for the agent. */
function installMember(clock: Clock): Install {
  return async (client) => {
    await Promise.all([
      installDefinitions(client, await memberDefinitions()),
      installNodes(client, new Date(clock.now())),
    ]);
  };
}

/** `stop` stops them in reverse order. */
async function startSimulatorAndAgent(
  server: EmbeddedServer,
  { hub, name, clock = systemClock, random = Math.random, logger = silentLogger }: StartMemberOptions,
): Promise<Pick<RunningMember, 'isAtRest' | 'stop'>> {
  const { turns } = hub.server;
  const shared = { clock, turns, random, logger: logger.with({ cluster: name }), metrics: server.metrics };
  const simulatorClient = server.clientAs(controllerManager);
  const memberClient = server.clientAs(agentUser, 'flotilla-agent');
  const hubClient = await hub.client(memberUser(name));
  const simulator = await startSimulator({ ...shared, client: simulatorClient });
  const agent = await startAgent({ ...shared, name, hub: hubClient, member: memberClient }).catch(
    async (error: unknown) => {
      await simulator.stop();
      throw error;
    },
  );
  return {
    isAtRest: () => simulator.isAtRest() && agent.isAtRest(),
    stop: async () => {
      await agent.stop();
      await simulator.stop();
      await Promise.all([hubClient, memberClient, simulatorClient].map((client) => client.close()));
    },
  };
}

/** Resolves when the member is ready to join. The hub would refuse an agent that starts sooner, and the agent would back off. */
async function register(hub: RunningHub, name: string): Promise<void> {
  const client = await hub.client();
  try {
    await registerMember(client, name);
    await untilReadyToJoin(client, name);
  } finally {
    await client.close();
  }
}
