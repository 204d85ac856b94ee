/** Flags of the hub's controllers that KubeFleet does not have. */
import { Option, type Command } from 'commander';
import { duration } from './go-options.ts';

export interface StageOptions {
  readonly controllers: string;
  readonly newMemberTaint?: string;
  readonly schedulingHeartbeatTimeout: number;
  readonly schedulingHealthTimeout: number;
  readonly schedulerPlugin?: readonly string[];
  readonly evictionTtl: number;
}

const bounds = { from: 1000, to: 30 * 86_400_000 };

export function addStageOptions(command: Command): Command {
  const about = 'controllers to run, comma-separated; * means all, -NAME leaves one out';
  const taint = 'taint for new members, KEY=VALUE:NoSchedule; placements use them when it is removed';
  return command
    .addOption(new Option('--controllers <names>', about).default('*'))
    .option('--new-member-taint <taint>', taint)
    .addOption(
      timeout('--scheduling-heartbeat-timeout', 'time without a heartbeat after which placements avoid a cluster'),
    )
    .addOption(
      timeout('--scheduling-health-timeout', 'time that a cluster may be unhealthy before placements avoid it'),
    )
    .addOption(
      duration('--eviction-ttl', 'time after which decided evictions are deleted; 0 keeps them', {
        from: 0,
        to: bounds.to,
      }).default(86_400_000, '24h'),
    )
    .option(
      '--scheduler-plugin <module>',
      'file or package with further rules for the choice of clusters; repeatable',
      (module: string, others: readonly string[] | undefined) => [...(others ?? []), module],
    );
}

function timeout(flag: string, about: string): Option {
  return duration(flag, about, bounds).default(300_000, '5m');
}
