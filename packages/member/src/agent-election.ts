/** Elects one of several replicas of an agent: the one that holds both leases of KubeFleet's agents. */
import { LeaderElection, type LeaderElectionOptions } from '@flotilla/runtime';

/** The leases are on the member, to keep load from the hub. Replicas acquire them in this order, which prevents a deadlock. */
const leaseNames = ['136224848560.hub.fleet.azure.com', '136224848560.member.fleet.azure.com'] as const;

export interface AgentElection extends Omit<LeaderElectionOptions, 'lease' | 'onLeader'> {
  /** Of the leases. */
  readonly namespace: string;
}

/** Calls `lead` whenever this replica is elected, until the signal aborts; then releases the leases. */
export async function runElection(
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
