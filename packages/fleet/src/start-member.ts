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
import { installNodes, startSimulator, type RunningSimulator } from '@flotilla/simulator';
import { ShiftedClock, systemClock, type Clock, type LoopTurns } from '@flotilla/timing';
import { AgentPods, ensureAgentDeployment } from './agent-pods.ts';
import { AgentRunner, type ConnectedAgent } from './agent-runner.ts';
import type { EmbeddedServer, Install } from './embedded-servers.ts';
import { HubLink } from './faults/hub-link.ts';
import { noFaults, type MemberFaults } from './faults/member-faults.ts';
import { MemberSwitch, type MemberParts } from './faults/member-switch.ts';
import { refusingWebhook } from './faults/refusing-webhook.ts';
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
  /**
   * `embedded`: the agent runs while the member runs. `deployment`: it runs while a pod of the Deployment `member-agent` on the
   * member is ready. Default: embedded.
   */
  readonly agent?: 'embedded' | 'deployment';
  /** The faults that the member starts with. Default: none. */
  readonly faults?: MemberFaults;
}

/** An embedded cluster that is a member of a fleet: an API server, a simulator and an agent. */
export interface RunningMember {
  readonly name: string;
  readonly url: string;
  /** The administrator's access, valid for this member only. */
  readonly access: Kubeconfig;
  /** An in-process client, by default as administrator. The caller closes it. */
  readonly client: (user?: User) => Client;
  readonly faults: () => MemberFaults;
  /** Replaces its faults. Resolves when they are in force. */
  readonly setFaults: (faults: MemberFaults) => Promise<void>;
  /** Whether the member has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const agentUser: User = { name: 'flotilla-agent', groups: [mastersGroup, authenticatedGroup] };

/** Starts a cluster in the hub's process, registers it with the hub, and starts its agent. */
export async function startMember(options: StartMemberOptions): Promise<RunningMember> {
  const { hub, name, faults = noFaults } = options;
  const clock = new ShiftedClock(options.clock ?? systemClock);
  clock.shiftMs = faults.clockShiftMs;
  const registered = register(hub, name);
  // Awaited below, once the server has started.
  registered.catch(() => undefined);
  const server = await hub.server.embed(name, installMember(clock), { clock, admission: [refusingWebhook] });
  const parts = partsOf(server, clock, options);
  const member = new MemberSwitch(parts);
  try {
    await registered;
    await member.set(faults);
    if (parts.agent.mode === 'running' && !faults.isPartitioned) await parts.agent.whenStarted();
    return {
      name,
      url: server.url,
      access: server.access,
      client: (user = administrator) => server.clientAs(user),
      faults: () => member.faults,
      setFaults: (next) => member.set(next),
      isAtRest: () => member.isAtRest,
      stop: () => member.stop(),
    };
  } catch (error) {
    await member.stop();
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

function partsOf(server: EmbeddedServer, clock: ShiftedClock, options: StartMemberOptions): MemberParts {
  const { hub, name, random = Math.random } = options;
  const logger = (options.logger ?? silentLogger).with({ cluster: name });
  const shared = { clock, turns: hub.server.turns, random, logger };
  const link = new HubLink(clock);
  const client = (): Client => server.clientAs(administrator);
  const agent = new AgentRunner({
    clock,
    logger,
    start: (signal) => connectAgent(server, link, { ...options, ...shared, signal }),
  });
  return {
    server,
    clock,
    link,
    client,
    agent,
    startSimulator: () => startOwnSimulator(server, shared),
    ...(options.agent === 'deployment' && {
      watchAgentPods: async (changed) => {
        const watching = client();
        await ensureAgentDeployment(watching);
        return new AgentPods({ ...shared, client: watching, changed });
      },
    }),
  };
}

type Shared = Required<Pick<StartMemberOptions, 'clock' | 'random' | 'logger'>> & { readonly turns: LoopTurns };

/** `stop` also closes its client. */
async function startOwnSimulator(server: EmbeddedServer, shared: Shared): Promise<RunningSimulator> {
  const client = server.clientAs(controllerManager);
  const simulator = await startSimulator({ ...shared, client, metrics: server.metrics() });
  return {
    ...simulator,
    stop: async () => {
      await simulator.stop();
      await client.close();
    },
  };
}

async function connectAgent(
  server: EmbeddedServer,
  link: HubLink,
  options: StartMemberOptions & Shared & { readonly signal: AbortSignal },
): Promise<ConnectedAgent> {
  const { hub, name, clock, turns, random, logger, signal } = options;
  const metrics = server.metrics();
  const memberClient = server.clientAs(agentUser, 'flotilla-agent');
  const hubClient = await hub.server.clientAs(memberUser(name), 'flotilla', (transport) => link.through(transport));
  const disconnect = async (): Promise<void> => {
    await Promise.all([hubClient.close(), memberClient.close()]);
  };
  try {
    const agent = await startAgent({
      name,
      hub: hubClient,
      member: memberClient,
      clock,
      turns,
      random,
      logger,
      metrics,
      installsDefinitions: true,
      signal,
    });
    return { isAtRest: agent.isAtRest, stop: agent.stop, disconnect };
  } catch (error) {
    await disconnect();
    throw error;
  }
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
