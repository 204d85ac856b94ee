import type { KubeObject } from '@flotilla/kube';
import { timeSince } from '../../columns/age.ts';
import { column, nameColumn, wideColumn } from '../../columns/column-definition.ts';
import type { Cell, Columns } from '../../kind.ts';
import { coreEventOf, type CoreEvent } from './event-fields.ts';

/** `kubectl get events`, whichever group was asked; the objects come in the core group's words. */
export const eventColumns: Columns = {
  definitions: [
    column('Last Seen', 'string', 'When it was seen last.'),
    column('Type', 'string', 'Normal or Warning.'),
    column('Reason', 'string', 'Why it was reported, in one word.'),
    column('Object', 'string', 'What it is about.'),
    wideColumn('Subobject', 'string', 'Which part of the object.'),
    wideColumn('Source', 'string', 'Who reported it, and from where.'),
    column('Message', 'string', 'What happened, for people.'),
    wideColumn('First Seen', 'string', 'When it was seen first.'),
    wideColumn('Count', 'string', 'How often it was seen.'),
    { ...nameColumn, priority: 1 },
  ],
  cells: eventCells,
};

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
