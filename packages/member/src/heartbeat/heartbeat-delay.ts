/** When the next heartbeat is due. */

/** Agents that were started together do not all come at the same moment. */
const jitter = 0.1;

/** The period, up to a twentieth shorter or longer, in whole milliseconds. */
export function heartbeatDelay(periodSeconds: number, random: () => number): number {
  const periodMs = periodSeconds * 1000;
  const range = Math.trunc(periodMs * jitter);
  return periodMs + Math.floor(random() * range) - Math.trunc(range / 2);
}

const firstRetryMs = 5;

/** After a failure: soon, then later each time, but never later than a heartbeat, so that a member that lives is heard of. */
export function retryDelay(failures: number, periodSeconds: number): number {
  return Math.min(firstRetryMs * 2 ** failures, periodSeconds * 1000);
}
