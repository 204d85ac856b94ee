/** Flags of the hub's controllers that KubeFleet does not have. */
import { Option, type Command } from 'commander';

export interface StageOptions {
  readonly controllers: string;
  readonly newMemberTaint?: string;
}

export function addStageOptions(command: Command): Command {
  const about = 'controllers to run, comma-separated; * means all, -NAME leaves one out';
  const taint = 'taint for new members, KEY=VALUE:NoSchedule; placements use them when it is removed';
  return command
    .addOption(new Option('--controllers <names>', about).default('*'))
    .option('--new-member-taint <taint>', taint);
}
