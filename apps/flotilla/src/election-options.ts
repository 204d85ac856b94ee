/** Who works where several replicas run: flags that are named as controller-runtime's programs name them. */
import type { Command } from 'commander';
import { duration, yesOrNo, type Yes } from './go-options.ts';
import { UserFault } from './user-error.ts';

export interface ElectionOptions {
  readonly leaderElect: Yes;
  readonly leaderElectionNamespace: string;
  readonly leaderLeaseDuration: number;
  readonly leaderRenewDeadline: number;
  readonly leaderRetryPeriod: number;
}

/** What holds where nothing is said. */
interface Otherwise {
  readonly elects: Yes;
  readonly namespace: string;
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  readonly retrySeconds: number;
}

export function addElectionOptions(command: Command, about: string, otherwise: Otherwise): Command {
  const { elects, namespace, leaseSeconds, renewSeconds, retrySeconds } = otherwise;
  const add = (flag: string, description: string, seconds: number): void =>
    void command.addOption(
      duration(flag, description, { from: 1, to: 86_400_000 }).default(seconds * 1000, `${seconds}s`),
    );
  command.addOption(yesOrNo('--leader-elect', about, elects));
  command.option('--leader-election-namespace <name>', 'where candidates meet', namespace);
  add('--leader-lease-duration', 'how long others wait for a leader', leaseSeconds);
  add('--leader-renew-deadline', 'how long a leader tries to stay one', renewSeconds);
  add('--leader-retry-period', 'how often both try', retrySeconds);
  return command;
}

interface Candidacy {
  readonly identity: string;
  readonly namespace: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Undefined: there is nobody to be elected against. */
export function electionIn(options: ElectionOptions, identity: string): Candidacy | undefined {
  if (options.leaderElect === 'false') return undefined;
  const { leaderLeaseDuration: leaseDurationMs, leaderRenewDeadline: renewDeadlineMs } = options;
  const { leaderRetryPeriod: retryPeriodMs, leaderElectionNamespace: namespace } = options;
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new UserFault('--leader-lease-duration must be above --leader-renew-deadline.');
  }
  if (renewDeadlineMs <= 1.2 * retryPeriodMs) {
    throw new UserFault('--leader-renew-deadline must be more than 1.2 times --leader-retry-period.');
  }
  return { identity, namespace, leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
