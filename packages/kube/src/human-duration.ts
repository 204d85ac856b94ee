/** Ages as `kubectl get` prints them: fewer units the longer ago. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** `<invalid>` and `0s` for what lies ahead: clocks of two machines differ by a little. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < 0) return seconds < -1 ? '<invalid>' : '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return twoUnits(seconds, MINUTE, 'm', 1, 's');
  if (seconds < 3 * HOUR) return `${whole(seconds, MINUTE)}m`;
  if (seconds < 8 * HOUR) return twoUnits(seconds, HOUR, 'h', MINUTE, 'm');
  if (seconds < 2 * DAY) return `${whole(seconds, HOUR)}h`;
  if (seconds < 8 * DAY) return twoUnits(seconds, DAY, 'd', HOUR, 'h');
  if (seconds < 2 * YEAR) return `${whole(seconds, DAY)}d`;
  if (seconds < 8 * YEAR) return twoUnits(seconds, YEAR, 'y', DAY, 'd');
  return `${whole(seconds, YEAR)}y`;
}

function whole(seconds: number, unit: number): number {
  return Math.floor(seconds / unit);
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = whole(seconds % large, small);
  return `${whole(seconds, large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
