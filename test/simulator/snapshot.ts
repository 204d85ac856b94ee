/** What a scenario compares: the objects of its namespace, flat, and its events as lines. */
import type { Client } from '@flotilla/client';
import { events, formatTime, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import { namespacedKinds, volumes } from './kinds.ts';
import type { Normaliser } from './normalise.ts';
import { stateOf, type Pod } from './pod-states.ts';

export interface Snapshot {
  /** By uid. */
  readonly objects: ReadonlyMap<string, ShownObject>;
  /** By uid. */
  readonly events: ReadonlyMap<string, string>;
}

export interface ShownObject {
  /** The position of its kind. */
  readonly order: number;
  /** `Pod web-*` */
  readonly title: string;
  /** In few words, for an object that was removed. */
  readonly summary: string;
  /** Values by path. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A loop of kube-apiserver, which sometimes sees a new Service before its address. */
const addressRepair = 'ipallocator-repair-controller';

interface Listed {
  readonly kind: string;
  readonly object: KubeObject;
}

/** The objects of the namespace, and the volumes that the scenario created. */
export async function takeSnapshot(client: Client, namespace: string, normaliser: Normaliser): Promise<Snapshot> {
  const listed: Listed[] = [];
  for (const kind of namespacedKinds) {
    const { items } = await client.list(kind, { namespace });
    listed.push(...items.map((object) => ({ kind: kind.kind, object })));
  }
  const { items: allVolumes } = await client.list(volumes);
  const ownVolumes = allVolumes.filter(({ metadata }) => metadata.labels?.['scenario'] === namespace);
  listed.push(...ownVolumes.map((object) => ({ kind: volumes.kind, object })));
  for (const { kind, object } of listed) normaliser.learn(kind, object);
  const { items: allEvents } = await client.list(events, { namespace });
  const controllerEvents = allEvents.filter(({ reportingComponent: from }) => from !== addressRepair);
  return {
    objects: new Map(
      listed.map(({ kind, object }) => [object.metadata.uid ?? '', shownObject(kind, object, normaliser)]),
    ),
    events: new Map(
      controllerEvents.map((event) => [event.metadata.uid ?? '', eventLine(event as CoreEvent, normaliser)]),
    ),
  };
}

function shownObject(kind: string, object: KubeObject, normaliser: Normaliser): ShownObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  const { uid: _uid, resourceVersion: _version, namespace: _namespace, managedFields, name, ...more } = metadata;
  const content = {
    metadata: { ...more, ...deletionTime(metadata), managers: managersOf(managedFields) },
    ...rest,
    ...(kind === 'Pod' && { status: podStatus(object) }),
  };
  const normalised = inDefinedOrder(kind, normaliser.value(content) as JsonObject);
  const fields = new Map<string, string>();
  flatten('', normalised, fields);
  const summary = kind === 'Pod' ? normaliser.text(podSummary(object)) : '';
  const order = namespacedKinds.findIndex((one) => one.kind === kind);
  return { order, title: `${kind} ${normaliser.text(name ?? '')}`, summary, fields };
}

/** The time of the deletion; an object states the end of its grace period. */
function deletionTime({ deletionTimestamp, deletionGracePeriodSeconds = 0 }: KubeObject['metadata']): JsonObject {
  if (deletionTimestamp === undefined) return {};
  return { deletionTimestamp: formatTime(new Date(Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000)) };
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

function managersOf(managedFields: readonly ManagedFields[] = []): string[] {
  const texts = managedFields.map(({ manager = '', operation = '', subresource }) =>
    [manager, operation, subresource].filter((part) => part !== undefined).join(' '),
  );
  return texts.sort();
}

/** The harness writes the rest of the status, so it proves nothing. */
function podStatus({ status = {} }: Pod): JsonObject {
  const { phase = '', conditions = [], reason, message, qosClass } = status;
  const texts = conditions.map(({ type, status: is, reason: why, message: text }) =>
    [`${type}=${is}`, why, text].filter((part) => part !== undefined).join(' '),
  );
  return {
    phase,
    conditions: texts,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(qosClass !== undefined && { qosClass }),
  };
}

function podSummary(pod: Pod): string {
  const { creationTimestamp = '' } = pod.metadata;
  const node = pod.spec?.nodeName === undefined ? '' : ` on ${pod.spec.nodeName}`;
  return `${stateOf(pod)}${node}, created ${String(creationTimestamp)}`;
}

/** Sorts lists whose order Kubernetes does not define, or defines by values that are replaced. */
function inDefinedOrder(kind: string, object: JsonObject): JsonObject {
  if (kind === 'EndpointSlice') {
    const { endpoints, ports } = object;
    return { ...object, endpoints: counted(endpoints), ports: ports === null ? null : sorted(ports) };
  }
  if (kind === 'Endpoints' && Array.isArray(object['subsets'])) {
    const subsets = (object['subsets'] as JsonObject[]).map((subset) => ({
      ...subset,
      ...(subset['addresses'] && { addresses: counted(subset['addresses']) }),
      ...(subset['notReadyAddresses'] && { notReadyAddresses: counted(subset['notReadyAddresses']) }),
    }));
    return { ...object, subsets: sorted(subsets) };
  }
  return object;
}

function sorted(value: JsonValue | undefined): JsonValue[] {
  return ((value ?? []) as JsonValue[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Sorted, with equal items as one that has a count. */
function counted(value: JsonValue | undefined): JsonValue[] {
  const groups = Map.groupBy(sorted(value), (item) => JSON.stringify(item));
  return [...groups.values()].map((items) => {
    const item = items[0] as JsonObject;
    return items.length === 1 ? item : { ...item, count: items.length };
  });
}

/** Items of lists are named by their type or name, so that a change shows which one changed. */
function flatten(path: string, value: JsonValue, fields: Map<string, string>): void {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    fields.set(path, JSON.stringify(value));
  } else if (Array.isArray(value)) {
    flattenList(path, value, fields);
  } else {
    for (const key of Object.keys(value).sort()) {
      flatten(path === '' ? key : `${path}.${key}`, (value as JsonObject)[key] ?? null, fields);
    }
  }
}

function flattenList(path: string, items: readonly JsonValue[], fields: Map<string, string>): void {
  const named = namesOf(items);
  if (named !== undefined) {
    const { key, names } = named;
    fields.set(`${path}[]`, names.join(', '));
    for (const [index, item] of items.entries()) {
      const { [key]: _name, ...rest } = item as JsonObject;
      if (Object.keys(rest).length > 0) flatten(`${path}[${names[index]}]`, rest, fields);
    }
  } else if (items.every((item) => typeof item === 'string')) {
    fields.set(path, JSON.stringify(items));
  } else {
    for (const [index, item] of items.entries()) flatten(`${path}[${index}]`, item, fields);
  }
}

function namesOf(items: readonly JsonValue[]): { key: string; names: string[] } | undefined {
  if (items.some((item) => typeof item !== 'object' || item === null)) return undefined;
  for (const key of ['type', 'name']) {
    const names = items.map((item) => (item as JsonObject)[key]);
    const areNames = names.every((name) => typeof name === 'string' && name !== '');
    if (areNames && new Set(names).size === names.length) return { key, names: names as string[] };
  }
  return undefined;
}

interface CoreEvent extends KubeObject {
  type: string;
  reason: string;
  message: string;
  count?: number;
  source?: { component?: string };
  reportingComponent?: string;
  involvedObject: { apiVersion?: string; kind?: string; name?: string; fieldPath?: string };
}

/** These repeat their events with every periodic pass, so that the count depends on the speed of the run. */
const periodicSources = ['horizontal-pod-autoscaler', 'persistentvolume-controller'];

/** Counted by retries with a growing delay, or by every pass that comes before the next status. */
const retriedReasons = ['FailedCreate', 'SawCompletedJob'];

function eventLine(event: CoreEvent, normaliser: Normaliser): string {
  const { type, reason, message, count = 1, source = {}, reportingComponent = '', involvedObject } = event;
  const { apiVersion = '', kind = '', name = '', fieldPath } = involvedObject;
  const { component = '' } = source;
  const from = component === reportingComponent ? component : `${component}, reported by ${reportingComponent}`;
  const about = `${apiVersion} ${kind} ${name}${fieldPath === undefined ? '' : ` ${fieldPath}`}`;
  const isUncounted = periodicSources.includes(component) || retriedReasons.includes(reason);
  const times = count === 1 || isUncounted ? '' : ` ×${count}`;
  return normaliser.text(`${type} ${reason}${times} from ${from} about ${about}: ${message}`);
}
