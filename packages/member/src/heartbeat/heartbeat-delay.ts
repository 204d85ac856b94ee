import type { InternalMemberCluster } from '@flotilla/api';

/** Limits and default of the CustomResourceDefinition, in case a hub does not enforce them. */
const seconds = { min: 1, max: 600, default: 60 };

export function periodOf({ spec }: { readonly spec?: Partial<InternalMemberCluster['spec']> }): number {
  const period = Number(spec?.heartbeatPeriodSeconds);
  return Number.isNaN(period) ? seconds.default : Math.min(Math.max(period, seconds.min), seconds.max);
}

/** Spreads the heartbeats of agents that were started together. */
const jitter = 0.1;

/** The period in whole milliseconds, up to 5 % shorter or longer. */
export function heartbeatDelay(periodSeconds: number, random: () => number): number {
  const periodMs = periodSeconds * 1000;
  const range = Math.trunc(periodMs * jitter);
  return periodMs + Math.floor(random() * range) - Math.trunc(range / 2);
}
