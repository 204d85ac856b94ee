/** Events are stored once and served in two groups: `v1` and `events.k8s.io/v1`. */
import type { JsonValue, KubeObject } from '@flotilla/kube';

const coreName: Readonly<Record<string, string>> = {
  note: 'message',
  regarding: 'involvedObject',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};

const eventsName = Object.fromEntries(Object.entries(coreName).map(([events, core]) => [core, events]));

export function toCoreEvent(event: KubeObject): KubeObject {
  return { ...renamed(event, 'v1', coreName), ...reporter(event) };
}

export function toEventsEvent(event: KubeObject): KubeObject {
  return renamed(event, 'events.k8s.io/v1', eventsName);
}

/** The core group always writes the fields of the reporter. */
function reporter(event: KubeObject): { reportingComponent: JsonValue; reportingInstance: JsonValue } {
  const { reportingController = '', reportingComponent = reportingController, reportingInstance = '' } = event;
  return { reportingComponent, reportingInstance };
}

function renamed(event: KubeObject, apiVersion: string, names: Readonly<Record<string, string>>): KubeObject {
  const result: KubeObject = { kind: event.kind, apiVersion, metadata: event.metadata };
  for (const [field, value] of Object.entries(event)) {
    if (field === 'apiVersion' || value === '') continue;
    result[Object.hasOwn(names, field) ? (names[field] ?? field) : field] = value;
  }
  return result;
}
