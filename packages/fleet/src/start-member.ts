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
import { startSimulator, type RunningSimulator, type WorkloadBehaviour } from '@flotilla/simulator';
import { ShiftedClock, systemClock, type LoopTurns } from '@flotilla/timing';
import { AgentPods, ensureAgentDeployment } from './agent-pods.ts';
import { AgentRunner, type ConnectedAgent } from './agent-runner.ts';
import type { EmbeddedServer } from './embedded-servers.ts';
import { expectedAgent } from './expected-agent.ts';
import { HubLink } from './faults/hub-link.ts';
import { noFaults, type MemberFaults } from './faults/member-faults.ts';
import { MemberSwitch, type ConnectedSimulator, type MemberParts } from './faults/member-switch.ts';
import { refusingWebhook } from './faults/refusing-webhook.ts';
import type { MemberShape } from './file/fleet-shape.ts';
import { installMember } from './install-member.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { agentOptionsOf, type OpenPriceTable } from './member-agent-options.ts';
import { accountNamed, memberUser } from './member-credentials.ts';
import { prepareMember } from './shape/register-member.ts';
import { simulatedKubelets } from './simulated-kubelets.ts';
import { ControllersOnChange } from './start-on-change.ts';
import type { RunningHub } from './start-hub.ts';
import type { StartServerOptions } from './start-server.ts';

/** What a member needs of its hub, whose port and storage it shares: the hub itself, or its thread's connection to it. */
export interface MemberHost extends Pick<RunningHub, 'client' | 'memberFinalizers'> {
  readonly server: Pick<RunningHub['server'], 'embed' | 'turns' | 'clientAs'>;
}

export interface StartMemberOptions extends Pick<StartServerOptions, 'clock' | 'random' | 'logger' | 'prepared'> {
  readonly hub: MemberHost;
  readonly shape: MemberShape;
  /** Whether the hub knows the member already. */
  readonly isRegistered?: boolean;
  /** Whether it only runs until it has left the fleet: its objects stay as they are. */
  readonly isLeaving?: boolean;
  /** Reads price tables that the shape names. */
  readonly openPriceTable?: OpenPriceTable | undefined;
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
  /** Whether the member has nothing to do until an object changes or time passes. In a thread that is unknown, and so false. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const agentUser: User = { name: 'flotilla-agent', groups: [mastersGroup, authenticatedGroup] };

/** Starts a cluster in the hub's process, registers it with the hub, and starts its agent. */
export async function startMember(options: StartMemberOptions): Promise<RunningMember> {
  const { hub, shape, faults = noFaults } = options;
  const { name, context } = shape;
  const clock = new ShiftedClock(options.clock ?? systemClock);
  clock.shiftMs = faults.clockShiftMs;
  const registered = options.isRegistered === true ? Promise.resolve() : prepareMember(hub, shape);
  // Awaited below, once the server has started.
  registered.catch(() => undefined);
  const server = await hub.server.embed(name, installMember(clock, shape.nodes, options), {
    clock,
    admission: [refusingWebhook],
    kubelets: simulatedKubelets,
  });
  const parts = partsOf(server, clock, options);
  const member = new MemberSwitch(parts);
  try {
    await registered;
    await member.set(faults);
    if (parts.agent.mode === 'running' && !faults.isPartitioned) await parts.agent.whenStarted();
    return {
      name,
      url: server.url,
      access: { ...server.access, name: context },
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

function partsOf(server: EmbeddedServer, clock: ShiftedClock, options: StartMemberOptions): MemberParts {
  const { hub, shape, random = Math.random } = options;
  const { name } = shape;
  const logger = (options.logger ?? silentLogger).with({ cluster: name });
  const shared = { clock, turns: hub.server.turns, random, logger };
  const link = new HubLink(clock);
  const client = (): Client => server.clientAs(administrator);
  const agent = new AgentRunner({
    clock,
    logger,
    start: (signal) => {
      const start = (until: AbortSignal): Promise<ConnectedAgent> =>
        connectAgent(server, link, { ...options, ...shared, signal: until });
      return shape.join === 'itself' ? start(signal) : startWhenExpected(start, { ...options, ...shared });
    },
  });
  return {
    server,
    clock,
    link,
    client,
    logger,
    agent,
    behaviour: shape.workloads,
    startSimulator: (behaviour) => startOwnSimulator(server, behaviour, shared),
    ...(shape.agent === 'deployment' && {
      watchAgentPods: async (changed) => {
        const watching = client();
        await ensureAgentDeployment(watching);
        return new AgentPods({ ...shared, client: watching, changed });
      },
    }),
  };
}

type Shared = Required<Pick<StartMemberOptions, 'clock' | 'random' | 'logger'>> & { readonly turns: LoopTurns };

async function startOwnSimulator(
  server: EmbeddedServer,
  behaviour: WorkloadBehaviour,
  shared: Shared,
): Promise<ConnectedSimulator> {
  const client = server.clientAs(controllerManager);
  const disconnect = (): Promise<void> => client.close();
  let wanted = behaviour;
  const start = (): Promise<RunningSimulator> =>
    startSimulator({ ...shared, client, behaviour: wanted, metrics: server.metrics() });
  const resting = server.resting();
  if (resting === undefined) return { ...(await start()), disconnect };
  const simulator = new ControllersOnChange(resting, start, shared.logger);
  const setBehaviour = async (next: WorkloadBehaviour): Promise<void> => {
    wanted = next;
    await (await simulator.running())?.setBehaviour(next);
  };
  return { isAtRest: simulator.isAtRest, stop: simulator.stop, setBehaviour, disconnect };
}

async function connectAgent(
  server: EmbeddedServer,
  link: HubLink,
  options: StartMemberOptions & Shared & { readonly signal: AbortSignal },
): Promise<ConnectedAgent> {
  const { hub, shape, clock, turns, random, logger, signal, openPriceTable } = options;
  const { name } = shape;
  const metrics = server.metrics();
  const memberClient = server.clientAs(agentUser, 'flotilla-agent');
  const hubClient = await hub.server.clientAs(
    memberUser(name, accountNamed(shape.serviceAccount)),
    'flotilla',
    (transport) => link.through(transport),
  );
  const disconnect = async (): Promise<void> => {
    await Promise.all([hubClient.close(), memberClient.close()]);
  };
  try {
    const agent = await startAgent({
      ...agentOptionsOf(shape, { clock, authority: authorityOf(server.access), openPriceTable }),
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

/** For a member that waits until a user creates its MemberCluster. */
async function startWhenExpected(
  start: (signal: AbortSignal) => Promise<ConnectedAgent>,
  { hub, shape, clock, logger }: StartMemberOptions & Shared,
): Promise<ConnectedAgent> {
  return expectedAgent({ name: shape.name, hub: await hub.client(), clock, logger, start });
}

function authorityOf({ cluster }: Kubeconfig): string {
  return Buffer.from(String(cluster['certificate-authority-data'] ?? ''), 'base64').toString();
}
