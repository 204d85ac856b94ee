import { whenAborted } from '@flotilla/timing';
import { runElection, type AgentElection } from './agent-election.ts';
import { AppliedWorkKind } from './applied-work-kind.ts';
import type { Membership } from './heartbeat/heartbeat.ts';
import { runAgent, type ActiveAgent, type ActiveAgentOptions } from './run-agent.ts';

export interface AgentOptions extends Omit<ActiveAgentOptions, 'appliedWorkKind'> {
  /** Whether to install AppliedWork on a member that does not serve it; otherwise the start fails. */
  readonly installsDefinitions?: boolean;
  /** For several replicas. Without it, the agent is active at once. */
  readonly election?: Pick<
    AgentElection,
    'namespace' | 'identity' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
  >;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
}

/** An agent between a hub and a member. */
export interface RunningAgent {
  /** Resolves when the hub has the first status of a joined member. Pending until the hub asks the member to join. */
  readonly ready: Promise<void>;
  /** The last state of the membership that was written to the hub. */
  readonly membership: () => Membership | undefined;
  /** False while another replica is the leader. */
  readonly isActive: () => boolean;
  /** Why the watch on the hub fails at the moment. */
  readonly failure: () => string | undefined;
  /** Whether there is nothing to do until something changes or time passes. */
  readonly isAtRest: () => boolean;
  /** Stops the agent. The member stays in the fleet. */
  readonly stop: () => Promise<void>;
}

/** Resolves when the agent is active or takes part in the election. Rejects if the member does not serve AppliedWork. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const { member, clock, logger, installsDefinitions: installs = false, election } = options;
  const appliedWorkKind = new AppliedWorkKind({ member, clock, logger, installs });
  await appliedWorkKind.whenServed(options.signal ?? new AbortController().signal);
  const parts = { ...options, appliedWorkKind };
  return election === undefined ? singleAgent(runAgent(parts)) : electedAgent(parts, election);
}

function singleAgent({ joined, ...agent }: ActiveAgent): RunningAgent {
  return { ready: joined, isActive: () => true, ...agent };
}

function electedAgent(options: ActiveAgentOptions, election: NonNullable<AgentOptions['election']>): RunningAgent {
  const { member, clock, random, metrics, logger } = options;
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  let active: ActiveAgent | undefined;
  const lead = async (signal: AbortSignal): Promise<void> => {
    active = runAgent(options);
    void active.joined.then(ready.resolve);
    await whenAborted(signal);
    await active.stop();
    active = undefined;
  };
  const elections = runElection({ client: member, clock, random, metrics, logger, ...election }, lead, stopping.signal);
  return {
    ready: ready.promise,
    membership: () => active?.membership(),
    isActive: () => active !== undefined,
    failure: () => active?.failure(),
    isAtRest: () => active?.isAtRest() ?? true,
    stop: async () => {
      stopping.abort();
      await elections;
    },
  };
}
