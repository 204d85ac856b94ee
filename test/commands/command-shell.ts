/** Runs commands of `flotilla` against the hub of a story, on its clock. */
import { programCommand } from '../../apps/flotilla/src/command-line.ts';
import { runInStory, type Ended } from '../kubectl-fleet/fleet-shell.ts';
import type { Story } from '../placements/story.ts';

export function runCommand(story: Story, ...args: string[]): Promise<Ended> {
  // A user who names a server does not ask about other fleets of this machine.
  const named = [...args, '--kubeconfig', 'kubeconfig-of-the-story'];
  return runInStory(story, (withSession) => programCommand(args, withSession), named);
}
