/** Runs commands of `kubectl fleet` against the fleet of a story, on its clock. */
import type { Command } from 'commander';
import { fleetCommand } from '../../apps/flotilla/src/kubectl-fleet/program.ts';
import type { WithSession } from '../../apps/flotilla/src/kubectl-fleet/session.ts';
import type { Story } from '../placements/story.ts';

/** What a command printed, and the message of the error that it ended with. */
export interface Ended {
  readonly lines: readonly string[];
  readonly error?: string;
}

export async function runFleetCommand(story: Story, ...args: string[]): Promise<Ended> {
  const lines: string[] = [];
  const { clock } = story.fleet;
  const withSession: WithSession = async ({ timeout }, command) => {
    const controller = new AbortController();
    const cancel = clock.after(timeout, () => controller.abort());
    const print = (line: string): void => void lines.push(line);
    await command({ hub: story.hub, print, clock, signal: controller.signal }).finally(cancel);
  };
  const program = withoutExit(fleetCommand(withSession));
  const ended = new AbortController();
  const running = program
    .parseAsync(args, { from: 'user' })
    .then(() => ({ lines }))
    .catch((error: unknown) => ({ lines, error: (error as Error).message }))
    .finally(() => ended.abort());
  // The hub acts while the command waits.
  while (!ended.signal.aborted) await story.pass(1);
  return running;
}

/** Parsing errors are thrown. */
function withoutExit(command: Command): Command {
  for (const one of [command, ...command.commands]) one.exitOverride().configureOutput({ writeErr: () => undefined });
  return command;
}
