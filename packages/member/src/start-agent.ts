import { whenAborted } from '@flotilla/timing';
import { standForElection, type AgentElection } from './agent-election.ts';
import { AppliedWorkKind } from './applied-work-kind.ts';
import type { Membership } from './heartbeat/heartbeat.ts';
import { runAgent, type AgentAtWork, type AgentParts } from './run-agent.ts';

export interface AgentOptions extends Omit<AgentParts, 'appliedWorkKind'> {
  /** Whether to install AppliedWork on a member that does not serve it; otherwise such a member is refused. */
  readonly installsDefinitions?: boolean;
  /** Where several replicas run; without it, this one is at work at once. */
  readonly election?: Pick<
    AgentElection,
    'namespace' | 'identity' | 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'
  >;
  /** Ends a start that takes too long. */
  readonly signal?: AbortSignal;
}

/** An agent between a hub and a member. */
export interface RunningAgent {
  /** When the hub has been told for the first time that the member has joined. Pending while nobody asks it to. */
  readonly ready: Promise<void>;
  /** What the hub was last told. */
  readonly membership: () => Membership | undefined;
  /** False while another replica is at work. */
  readonly isAtWork: () => boolean;
  /** Why the hub cannot be heard at the moment. */
  readonly trouble: () => string | undefined;
  /** Nothing to do before something changes or time passes. */
  readonly isAtRest: () => boolean;
  /** Ends what is in work. The member stays in the fleet: another agent may go on. */
  readonly stop: () => Promise<void>;
}

/** Starts an agent. Resolves when it is at work or stands for election; rejects when the member cannot be worked with. */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const { member, clock, logger, installsDefinitions: installs = false, election } = options;
  const appliedWorkKind = new AppliedWorkKind({ member, clock, logger, installs });
  await appliedWorkKind.whenServed(options.signal ?? new AbortController().signal);
  const parts = { ...options, appliedWorkKind };
  return election === undefined ? workingAgent(runAgent(parts)) : electedAgent(parts, election);
}

function workingAgent({ joined, ...agent }: AgentAtWork): RunningAgent {
  return { ready: joined, isAtWork: () => true, ...agent };
}

function electedAgent(options: AgentParts, election: NonNullable<AgentOptions['election']>): RunningAgent {
  const { member, clock, random, metrics, logger } = options;
  const stopping = new AbortController();
  const ready = Promise.withResolvers<void>();
  let atWork: AgentAtWork | undefined;
  const lead = async (signal: AbortSignal): Promise<void> => {
    atWork = runAgent(options);
    void atWork.joined.then(ready.resolve);
    await whenAborted(signal);
    await atWork.stop();
    atWork = undefined;
  };
  const candidacy = standForElection(
    { client: member, clock, random, metrics, logger, ...election },
    lead,
    stopping.signal,
  );
  return {
    ready: ready.promise,
    membership: () => atWork?.membership(),
    isAtWork: () => atWork !== undefined,
    trouble: () => atWork?.trouble(),
    isAtRest: () => atWork?.isAtRest() ?? true,
    stop: async () => {
      stopping.abort();
      await candidacy;
    },
  };
}
