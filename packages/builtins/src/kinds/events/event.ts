import { nameIsDnsSubdomain, type KubeObject } from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { eventColumns } from './event-columns.ts';
import { toCoreEvent } from './event-conversion.ts';
import { coreEventOf, type CoreEvent } from './event-fields.ts';
import {
  validateCoreEvent,
  validateCoreEventUpdate,
  validateNewEvent,
  validateNewEventUpdate,
} from './event-validation.ts';

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** `v1` Event: any name will do, and nearly any content. */
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
