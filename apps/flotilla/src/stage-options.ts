/** Flags that say which of the hub's controllers run. */
import { Option, type Command } from 'commander';

export interface StageOptions {
  readonly controllers: string;
}

export function addStageOptions(command: Command): Command {
  const about = 'controllers to run, comma-separated; * means all, -NAME leaves one out';
  return command.addOption(new Option('--controllers <names>', about).default('*'));
}
