import type { RunningAgent } from '@flotilla/member';
import type { Clock } from '@flotilla/timing';
import { say } from '../server-flags.ts';

/** By now a hub that expects the member would have been heard. */
const patienceMs = 5000;

/** Tells people once why the member has not joined yet. The returned function spares them. */
export function sayWhyItWaits(name: string, agent: RunningAgent, clock: Clock): () => void {
  const cancel = clock.after(patienceMs, () => {
    if (agent.membership() === undefined) say(reasonOf(name, agent));
  });
  void agent.ready.then(cancel);
  return cancel;
}

function reasonOf(name: string, agent: RunningAgent): string {
  if (!agent.isAtWork()) return 'Standing by: another replica is at work.';
  const trouble = agent.trouble() ?? `it needs a MemberCluster ${name}`;
  return `Waiting for the hub to ask ${name} to join: ${trouble}.`;
}
