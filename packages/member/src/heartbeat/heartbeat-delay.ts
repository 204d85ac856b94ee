/** When the next heartbeat is due. */
import type { InternalMemberCluster } from '@flotilla/api';

/** As the definition allows and sets it; a hub that asks for something else is not a reason to hurry or to fall silent. */
const seconds = { least: 1, most: 600, usual: 60 };

export function periodOf({ spec }: { readonly spec?: Partial<InternalMemberCluster['spec']> }): number {
  const asked = Number(spec?.heartbeatPeriodSeconds);
  return Number.isNaN(asked) ? seconds.usual : Math.min(Math.max(asked, seconds.least), seconds.most);
}

/** Agents that were started together do not all come at the same moment. */
const jitter = 0.1;

/** The period, up to a twentieth shorter or longer, in whole milliseconds. */
export function heartbeatDelay(periodSeconds: number, random: () => number): number {
  const periodMs = periodSeconds * 1000;
  const range = Math.trunc(periodMs * jitter);
  return periodMs + Math.floor(random() * range) - Math.trunc(range / 2);
}
