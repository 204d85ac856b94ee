/** Runs commands of `kubectl fleet` against the fleet of a story, on its clock. */
import type { Command } from 'commander';
import { fleetCommand } from '../../apps/flotilla/src/kubectl-fleet/program.ts';
import type { WithSession } from '../../apps/flotilla/src/session/session.ts';
import { plainTerminal } from '../../apps/flotilla/src/terminal/terminal.ts';
import type { Story } from '../placements/story.ts';

/** What a command printed, and the message of the error that it ended with. */
export interface Ended {
  readonly lines: readonly string[];
  readonly error?: string;
}

export function runFleetCommand(story: Story, ...args: string[]): Promise<Ended> {
  return runInStory(story, (withSession) => fleetCommand(withSession), args);
}

/** Runs a program whose commands reach the hub of the story. */
export async function runInStory(
  story: Story,
  programOf: (withSession: WithSession) => Command | Promise<Command>,
  args: readonly string[],
): Promise<Ended> {
  const lines: string[] = [];
  const { clock } = story.fleet;
  const print = (line: string): void => void lines.push(...line.split('\n'));
  const withSession: WithSession = async ({ timeout = Infinity }, command) => {
    const controller = new AbortController();
    const cancel = timeout === Infinity ? undefined : clock.after(timeout, () => controller.abort());
    const member = (name: string) => Promise.resolve(story.fleet.member(name));
    const context = { hub: story.hub, member, url: 'https://hub', namespace: 'default', terminal: plainTerminal };
    await command({ ...context, print, warn: print, clock, signal: controller.signal }).finally(cancel);
  };
  const program = withoutExit(await programOf(withSession));
  const ended = new AbortController();
  const running = program
    .parseAsync([...args], { from: 'user' })
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
