import type { KubeObject } from '@flotilla/kube';

interface Event extends KubeObject {
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { lastObservedTime?: string } | null;
}

/** When an event last changed, as far as it tells itself: the newest of all the times in it. */
export function lastHeardOf(object: Readonly<KubeObject>): number {
  const { lastTimestamp, eventTime, series, metadata } = object as Event;
  const written = metadata.managedFields?.map(({ time }) => time) ?? [];
  const times = [metadata.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime, ...written];
  const moments = times.map((time) => Date.parse(time ?? '')).filter((moment) => !Number.isNaN(moment));
  return Math.max(0, ...moments);
}
