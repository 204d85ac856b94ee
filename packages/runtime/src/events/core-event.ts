import { events, formatTime, nameIsDnsSubdomain, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { PlannedEvent } from '../plan.ts';

/** The fields of a core/v1 Event that we write, in wire order. */
export interface CoreEvent extends KubeObject {
  involvedObject: ObjectReference;
  reason: string;
  message: string;
  source: { component: string; host?: string };
  firstTimestamp: string;
  lastTimestamp: string;
  count: number;
  type: string;
  eventTime: null;
  action?: string;
  related?: ObjectReference;
  reportingComponent: string;
  reportingInstance: string;
}

interface ObjectReference extends JsonObject {
  kind: string;
  namespace?: string;
  name: string;
  uid?: string;
  apiVersion: string;
  resourceVersion?: string;
  fieldPath?: string;
}

export const coreEvents = events as Kind<CoreEvent>;

/** Events about cluster-scoped objects go to `default`. `unique` distinguishes events of the same millisecond. */
export function coreEvent(planned: PlannedEvent, component: string, nowMs: number, unique: number): CoreEvent {
  const { about, type, reason, message, action, related, fieldPath, host } = planned;
  const { namespace, name = '' } = about.metadata;
  const time = formatTime(new Date(nowMs));
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: eventName(name, nowMs, unique), namespace: namespace || 'default' },
    involvedObject: { ...referenceTo(about), ...(fieldPath ? { fieldPath } : {}) },
    reason,
    message,
    source: host ? { component, host } : { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type,
    eventTime: null,
    ...(action && { action }),
    ...(related && { related: referenceTo(related) }),
    reportingComponent: component,
    reportingInstance: host ?? '',
  };
}

function referenceTo({ kind, apiVersion, metadata }: Readonly<KubeObject>): ObjectReference {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  return {
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    ...(uid ? { uid } : {}),
    apiVersion,
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}

/** client-go's format: the object's name and the time in nanoseconds. Our clock has milliseconds; `unique` fills the rest. */
function eventName(about: string, nowMs: number, unique: number): string {
  const moment = (BigInt(nowMs) * 1_000_000n + BigInt(unique % 1_000_000)).toString(16);
  const name = `${about}.${moment}`;
  return nameIsDnsSubdomain(name, false).length === 0 ? name : `event.${moment}`;
}
