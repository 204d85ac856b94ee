/** Ages as `kubectl get` prints them: fewer units the longer ago. */

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** `<invalid>` and `0s` for what lies ahead: clocks of two machines differ by a little. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < 0) return seconds < -1 ? '<invalid>' : '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return twoUnits(seconds, minute, 'm', 1, 's');
  if (seconds < 3 * hour) return `${whole(seconds, minute)}m`;
  if (seconds < 8 * hour) return twoUnits(seconds, hour, 'h', minute, 'm');
  if (seconds < 2 * day) return `${whole(seconds, hour)}h`;
  if (seconds < 8 * day) return twoUnits(seconds, day, 'd', hour, 'h');
  if (seconds < 2 * year) return `${whole(seconds, day)}d`;
  if (seconds < 8 * year) return twoUnits(seconds, year, 'y', day, 'd');
  return `${whole(seconds, year)}y`;
}

function whole(seconds: number, unit: number): number {
  return Math.floor(seconds / unit);
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = whole(seconds % large, small);
  return `${whole(seconds, large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
