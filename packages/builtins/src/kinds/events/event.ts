import { nameIsDnsSubdomain, type KubeObject } from '@flotilla/kube';
import { column, nameColumn, timeSince, wideColumn } from '../../columns.ts';
import type { Cell, Columns, KindBehavior } from '../../kind.ts';
import { toCoreEvent } from './event-conversion.ts';
import { coreEventOf, type CoreEvent } from './event-fields.ts';
import {
  validateCoreEvent,
  validateCoreEventUpdate,
  validateNewEvent,
  validateNewEventUpdate,
} from './event-validation.ts';

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** The columns of both groups; the objects are those of the core group. */
const eventColumns: Columns = {
  definitions: [
    column('Last Seen', 'string', 'When it was last observed.'),
    column('Type', 'string', 'Normal or Warning.'),
    column('Reason', 'string', 'The reason, in CamelCase.'),
    column('Object', 'string', 'The object of the event.'),
    wideColumn('Subobject', 'string', 'The part of the object.'),
    wideColumn('Source', 'string', 'The component that reported it.'),
    column('Message', 'string', 'What happened.'),
    wideColumn('First Seen', 'string', 'When it was first observed.'),
    wideColumn('Count', 'string', 'How often it was observed.'),
    { ...nameColumn, priority: 1 },
  ],
  cells: eventCells,
};

/** `v1` Event: accepts any name, and nearly any content. */
export const coreEventKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Event',
  checksMetadata: true,
  createOnUpdate: true,
  validate: validateCoreEvent,
  validateUpdate: validateCoreEventUpdate,
  fieldLabels: [
    ...referenceFields.map((field) => `involvedObject.${field}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  selectableFields(object) {
    const event = coreEventOf(object);
    return {
      ...referenceValues(event, 'involvedObject'),
      reason: event.reason ?? '',
      reportingComponent: event.reportingComponent ?? '',
      source: event.source?.component || event.reportingComponent || '',
      type: event.type ?? '',
    };
  },
  columns: eventColumns,
};

/** `events.k8s.io/v1` Event: the same objects under other names, with stricter rules. */
export const eventsEventKind: KindBehavior = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  allowsShortFinalizers: true,
  nameRule: nameIsDnsSubdomain,
  createOnUpdate: true,
  validate: (object) => validateNewEvent(toCoreEvent(object)),
  validateUpdate: (object, old) => validateNewEventUpdate(toCoreEvent(object), toCoreEvent(old)),
  fieldLabels: [...referenceFields.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  selectableFields(object) {
    const event = coreEventOf(toCoreEvent(object));
    return {
      ...referenceValues(event, 'regarding'),
      reason: event.reason ?? '',
      reportingController: event.reportingComponent ?? '',
      type: event.type ?? '',
    };
  },
  columns: {
    definitions: eventColumns.definitions,
    cells: (object: KubeObject, now: Date) => eventColumns.cells(toCoreEvent(object), now),
  },
};

function referenceValues({ involvedObject = {} }: CoreEvent, prefix: string): Record<string, string> {
  return Object.fromEntries(referenceFields.map((field) => [`${prefix}.${field}`, involvedObject[field] ?? '']));
}

function eventCells(object: KubeObject, now: Date): Cell[] {
  const event = coreEventOf(object);
  const firstSeen = timeSince(event.firstTimestamp ?? event.eventTime, now);
  return [
    lastSeen(event, firstSeen, now),
    event.type ?? '',
    event.reason ?? '',
    targetText(event),
    event.involvedObject?.fieldPath ?? '',
    sourceText(event),
    (event.message ?? '').trim(),
    firstSeen,
    countOf(event),
    object.metadata.name ?? '',
  ];
}

function lastSeen({ series, lastTimestamp }: CoreEvent, firstSeen: string, now: Date): string {
  if (series !== undefined) return timeSince(series.lastObservedTime, now);
  return lastTimestamp ? timeSince(lastTimestamp, now) : firstSeen;
}

function targetText({ involvedObject: { kind = '', name = '' } = {} }: CoreEvent): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function sourceText({ source = {}, reportingComponent = '', reportingInstance = '' }: CoreEvent): string {
  const component = source.component || reportingComponent;
  const host = source.host || reportingInstance;
  return host === '' ? component : `${component}, ${host}`;
}

function countOf({ series, count = 0 }: CoreEvent): number {
  return series === undefined ? count || 1 : (series.count ?? 0);
}
