/** The limit for the report that a member stores. The hub mirrors less, but reads all of it with every heartbeat. */
import { reportLimits } from '@flotilla/api';
import type { JsonValue } from '@flotilla/kube';

/** Why a member's report is refused, as a sentence; undefined if it is accepted. */
export function refusedReport(status: JsonValue | undefined): string | undefined {
  if (status === undefined || weightLeft(status, reportLimits.statusBytes) >= 0) return undefined;
  const kibibytes = reportLimits.statusBytes / 1024;
  return `a member may report at most ${kibibytes} KiB in its status; report fewer properties, agents or conditions`;
}

/** Estimate for the quotes, commas and brackets of a value. */
const valueBytes = 4;

/** What is left of `room` after a value. Negative, and no more exact, once the room is used up. */
function weightLeft(value: JsonValue, room: number): number {
  let left = room - valueBytes;
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left;
  for (const [key, inner = null] of Object.entries(value)) {
    if (left < 0) return left;
    left = weightLeft(inner, left - key.length);
  }
  return left;
}
