import { createClient, findAccess, httpTransport, type Environment } from '@flotilla/client';
import { MetricsRegistry, silentLogger } from '@flotilla/kube';
import { startAgent, type Membership } from '@flotilla/member';
import { systemClock } from '@flotilla/timing';
import type { ConnectedAgent } from './agent-runner.ts';
import { expectedAgent } from './expected-agent.ts';
import { agentOptionsOf } from './member-agent-options.ts';
import { accountNamed, memberUser } from './member-credentials.ts';
import { prepareMember } from './shape/register-member.ts';
import type { StartMemberOptions } from './start-member.ts';

export interface StartAttachedMemberOptions extends Omit<StartMemberOptions, 'faults'> {
  /** For kubeconfigs that start programs: `process.env`. */
  readonly environment: Environment;
  readonly onMembership?: (membership: Membership) => void;
}

/** A real cluster whose agent runs in the hub's process. */
export interface AttachedMember {
  readonly name: string;
  readonly url: string;
  readonly isAtRest: () => boolean;
  /** Stops the agent. The cluster stays a member. */
  readonly stop: () => Promise<void>;
}

/** Registers a real cluster with the hub and runs its agent here. Does not wait until it has joined. */
export async function startAttachedMember(options: StartAttachedMemberOptions): Promise<AttachedMember> {
  const { hub, shape } = options;
  const { name, kubeconfig, kubeContext } = shape;
  const access = await findAccess({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(kubeContext !== undefined && { context: kubeContext }),
    environment: options.environment,
  });
  await prepareMember(hub, shape);
  const clock = options.clock ?? systemClock;
  const logger = (options.logger ?? silentLogger).with({ cluster: name });
  const start = (): Promise<ConnectedAgent> => connectAgent(options, access);
  // It retries: the cluster may be unreachable now.
  const agent = expectedAgent({ name, hub: await hub.client(), clock, logger, start });
  return {
    name,
    url: access.transport.server,
    isAtRest: agent.isAtRest,
    stop: async () => {
      await agent.stop();
      await agent.disconnect();
    },
  };
}

type FoundAccess = Awaited<ReturnType<typeof findAccess>>;

async function connectAgent(
  options: StartAttachedMemberOptions,
  { transport, impersonate }: FoundAccess,
): Promise<ConnectedAgent> {
  const { hub, shape, clock = systemClock, random = Math.random, openPriceTable, onMembership } = options;
  const { name } = shape;
  const logger = (options.logger ?? silentLogger).with({ cluster: name });
  const member = createClient(httpTransport(transport), {
    userAgent: 'flotilla-agent',
    ...(impersonate && { impersonate }),
  });
  const hubClient = await hub.client(memberUser(name, accountNamed(shape.serviceAccount)));
  const disconnect = async (): Promise<void> => {
    await Promise.all([hubClient.close(), member.close()]);
  };
  try {
    const authority = (await transport.credentials?.current())?.authority;
    const agent = await startAgent({
      ...agentOptionsOf(shape, { clock, authority, openPriceTable }),
      name,
      hub: hubClient,
      member,
      clock,
      turns: hub.server.turns,
      random,
      logger,
      metrics: new MetricsRegistry(),
      installsDefinitions: true,
      ...(onMembership && { onMembership }),
    });
    return { isAtRest: agent.isAtRest, stop: agent.stop, disconnect };
  } catch (error) {
    await disconnect();
    throw error;
  }
}
