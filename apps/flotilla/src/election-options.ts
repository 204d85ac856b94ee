/** Flags of leader election, named as in programs of controller-runtime. */
import type { Command } from 'commander';
import { duration, booleanOption, type BooleanText } from './go-options.ts';
import { UserError } from './user-error.ts';

export interface ElectionOptions {
  readonly leaderElect: BooleanText;
  readonly leaderElectionNamespace: string;
  readonly leaderLeaseDuration: number;
  readonly leaderRenewDeadline: number;
  readonly leaderRetryPeriod: number;
}

interface ElectionDefaults {
  readonly isEnabled: BooleanText;
  readonly namespace: string;
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  readonly retrySeconds: number;
}

export function addElectionOptions(command: Command, about: string, defaults: ElectionDefaults): Command {
  const { isEnabled, namespace, leaseSeconds, renewSeconds, retrySeconds } = defaults;
  const add = (flag: string, description: string, seconds: number): void =>
    void command.addOption(
      duration(flag, description, { from: 1, to: 86_400_000 }).default(seconds * 1000, `${seconds}s`),
    );
  command.addOption(booleanOption('--leader-elect', about, isEnabled));
  command.option('--leader-election-namespace <name>', 'namespace of the lease', namespace);
  add('--leader-lease-duration', 'time until other replicas may take a lease that is not renewed', leaseSeconds);
  add('--leader-renew-deadline', 'time until a leader that cannot renew its lease stops', renewSeconds);
  add('--leader-retry-period', 'time between attempts to acquire or renew the lease', retrySeconds);
  return command;
}

interface Candidacy {
  readonly identity: string;
  readonly namespace: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Undefined without leader election. */
export function electionIn(options: ElectionOptions, identity: string): Candidacy | undefined {
  if (options.leaderElect === 'false') return undefined;
  const { leaderLeaseDuration: leaseDurationMs, leaderRenewDeadline: renewDeadlineMs } = options;
  const { leaderRetryPeriod: retryPeriodMs, leaderElectionNamespace: namespace } = options;
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new UserError('--leader-lease-duration must be above --leader-renew-deadline.');
  }
  if (renewDeadlineMs <= 1.2 * retryPeriodMs) {
    throw new UserError('--leader-renew-deadline must be more than 1.2 times --leader-retry-period.');
  }
  return { identity, namespace, leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
