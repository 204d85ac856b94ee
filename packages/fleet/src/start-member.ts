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
import { furnishNodes, startSimulator } from '@flotilla/simulator';
import { systemClock, type Clock } from '@flotilla/timing';
import type { EmbeddedServer, Furnish } from './embedded-servers.ts';
import { installDefinitions } from './install-definitions.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { memberUser, registerMember } from './member-credentials.ts';
import { untilReadyToJoin } from './ready-to-join.ts';
import type { RunningHub } from './start-hub.ts';
import type { StartServerOptions } from './start-server.ts';

export interface StartMemberOptions extends Pick<StartServerOptions, 'clock' | 'random' | 'logger'> {
  /** Whose process, port and storage the member shares. */
  readonly hub: RunningHub;
  readonly name: string;
}

/** An embedded cluster that is a member of a fleet: an API server, a life for its workloads, and an agent. */
export interface RunningMember {
  readonly name: string;
  readonly url: string;
  /** The administrator's way in; it opens neither the hub nor another member. */
  readonly access: Kubeconfig;
  /** In process: as administrator, or in somebody's name. Whoever asks for it closes it. */
  readonly client: (user?: User) => Client;
  /** Whether nothing moves there before something changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const agentUser: User = { name: 'flotilla-agent', groups: [mastersGroup, authenticatedGroup] };

/** Starts a cluster beside a hub, registers it there, and lets its agent join. */
export async function startMember(options: StartMemberOptions): Promise<RunningMember> {
  const { hub, name, clock = systemClock } = options;
  const place = registered(hub, name);
  // Looked at when the server is there.
  place.catch(() => undefined);
  const server = await hub.server.embed(name, furnishMember(clock));
  try {
    await place;
    const life = await bringToLife(server, options);
    return {
      name,
      url: server.url,
      access: server.access,
      client: (user = administrator) => server.clientAs(user),
      isAtRest: () => server.isAtRest() && life.isAtRest(),
      stop: async () => {
        await life.stop();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** What a member has beyond a server's own objects: nodes, and the kind that its agent keeps its books in. */
function furnishMember(clock: Clock): Furnish {
  return async (client) => {
    await Promise.all([
      installDefinitions(client, await memberDefinitions()),
      furnishNodes(client, new Date(clock.now())),
    ]);
  };
}

/** Ends in the reverse order of its beginning. */
async function bringToLife(
  server: EmbeddedServer,
  { hub, name, clock = systemClock, random = Math.random, logger = silentLogger }: StartMemberOptions,
): Promise<Pick<RunningMember, 'isAtRest' | 'stop'>> {
  const { turns } = hub.server;
  const shared = { clock, turns, random, logger: logger.with({ cluster: name }), metrics: server.metrics };
  const [ofSimulator, ofAgent] = [server.clientAs(controllerManager), server.clientAs(agentUser, 'flotilla-agent')];
  const atHub = await hub.client(memberUser(name));
  const simulator = await startSimulator({ ...shared, client: ofSimulator });
  const agent = await startAgent({ ...shared, name, hub: atHub, member: ofAgent }).catch(async (error: unknown) => {
    await simulator.stop();
    throw error;
  });
  return {
    isAtRest: () => simulator.isAtRest() && agent.isAtRest(),
    stop: async () => {
      await agent.stop();
      await simulator.stop();
      await Promise.all([atHub, ofAgent, ofSimulator].map((client) => client.close()));
    },
  };
}

/** Resolves when the member has its place on the hub: an agent that came sooner would be sent away, and wait. */
async function registered(hub: RunningHub, name: string): Promise<void> {
  const client = await hub.client();
  try {
    await registerMember(client, name);
    await untilReadyToJoin(client, name);
  } finally {
    await client.close();
  }
}
