/** The limit for the report that a member stores. The hub mirrors less, but reads all of it with every heartbeat. */
import { reportLimits } from '@flotilla/api';
import { jsonSize, type JsonValue } from '@flotilla/kube';

/** Why a member's report is refused, as a sentence; undefined if it is accepted. */
export function refusedReport(status: JsonValue | undefined): string | undefined {
  if (status === undefined || jsonSize(status, reportLimits.statusBytes) <= reportLimits.statusBytes) return undefined;
  const kibibytes = reportLimits.statusBytes / 1024;
  return `a member may report at most ${kibibytes} KiB in its status; report fewer properties, agents or conditions`;
}
