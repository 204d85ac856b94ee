/** How large a report a member may store. The hub keeps less of it, but reads all of it with every heartbeat. */
import { reportLimits } from '@flotilla/api';
import type { JsonValue } from '@flotilla/kube';

/** Why a member may not report this, as a sentence; undefined where it may. */
export function refusedReport(status: JsonValue | undefined): string | undefined {
  if (status === undefined || weightLeft(status, reportLimits.statusBytes) >= 0) return undefined;
  const kibibytes = reportLimits.statusBytes / 1024;
  return `a member may report at most ${kibibytes} KiB in its status; report fewer properties, agents or conditions`;
}

/** What a value weighs beside its texts: quotes, commas, brackets. */
const valueBytes = 4;

/** How much room a value leaves; below zero as soon as there is none, however much follows. */
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
