import type { Clock } from '@flotilla/client';
import type { RunningAgent } from '@flotilla/member';
import { say } from '../server-options.ts';

/** By now a hub that expects the member would have been heard. */
const patienceMs = 5000;

/** Tells people once why the member has not joined yet. The returned function spares them. */
export function sayWhyItWaits(name: string, agent: RunningAgent, clock: Clock): () => void {
  const cancel = clock.after(patienceMs, () => {
    if (agent.membership() !== undefined) return;
    const trouble = agent.trouble();
    say(
      trouble === undefined
        ? `Waiting for the hub to ask ${name} to join: it needs a MemberCluster ${name}.`
        : `Waiting for the hub to ask ${name} to join: ${trouble}.`,
    );
  });
  void agent.ready.then(cancel);
  return cancel;
}
