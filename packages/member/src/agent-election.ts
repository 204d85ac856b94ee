/** Of several replicas of an agent, one is at work: whoever holds both leases under which KubeFleet's agents stand for election. */
import { LeaderElection, type LeaderElectionOptions } from '@flotilla/runtime';

/** On the member, so that elections are no load for the hub. In this order, so that no two candidates hold one each. */
const leaseNames = ['136224848560.hub.fleet.azure.com', '136224848560.member.fleet.azure.com'] as const;

export interface AgentElection extends Omit<LeaderElectionOptions, 'lease' | 'onLeader'> {
  /** Where the leases are. */
  readonly namespace: string;
}

/** Leads whenever it is elected, until the signal ends it; leases are given back at the end. */
export async function standForElection(
  { namespace, ...options }: AgentElection,
  lead: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const [first, second] = leaseNames.map((name) => new LeaderElection({ ...options, lease: { namespace, name } }));
  while (!signal.aborted) {
    await first?.run(async (held) => {
      while (!held.aborted) await second?.run(lead, held);
    }, signal);
  }
}
