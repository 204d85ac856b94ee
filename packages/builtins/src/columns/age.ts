import { humanDuration, type KubeObject } from '@flotilla/kube';

/** The cell of the Age column. */
export function age(object: KubeObject, now: Date): string {
  return timeSince(object.metadata.creationTimestamp, now);
}

/** How long ago a timestamp was, in kubectl's short form: `5m10s`. */
export function timeSince(timestamp: string | null | undefined, now: Date): string {
  return timestamp ? humanDuration(now.getTime() - Date.parse(timestamp)) : '<unknown>';
}
