import type { DiscoveredKind } from '@flotilla/client';
import { events, humanDuration, isForbidden, type KubeObject } from '@flotilla/kube';
import { nowIn, type Session } from '../session/session.ts';
import { tableLines, type Column } from '../terminal/table.ts';
import { describedLines } from './described-lines.ts';
import { forAll } from './for-all.ts';
import { namedIn, readSelected, type SelectionFlags } from './selected-objects.ts';

/** Prints the fields of objects in words, and what has happened to them. */
export async function describeObjects(session: Session, args: readonly string[], flags: SelectionFlags): Promise<void> {
  const named = await namedIn(session, args, flags);
  let count = 0;
  await forAll(named, async (one) => {
    for await (const { kind, object } of readSelected(session, one, flags)) {
      if (count++ > 0) session.print('\n');
      for (const line of describedLines(object)) session.print(line);
      for (const line of eventLines(await eventsOf(session, kind, object), nowIn(session))) session.print(line);
    }
  });
  if (count === 0) session.warn('No resources found');
}

/** Events of the core group, as recorders write them. */
interface EventObject extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

async function eventsOf({ hub, signal }: Session, kind: DiscoveredKind, object: KubeObject): Promise<EventObject[]> {
  const { uid = '', namespace = 'default' } = object.metadata;
  if (uid === '' || kind.kind === 'Event') return [];
  const fieldSelector = `involvedObject.uid=${uid}`;
  const listed = await hub.list(events, { namespace, fieldSelector, signal }).catch((error: unknown) => {
    // The object itself is worth printing.
    if (!isForbidden(error)) throw error;
  });
  return ((listed?.items ?? []) as EventObject[]).toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
}

function timeOf({ lastTimestamp, eventTime, metadata }: EventObject): string {
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}

function eventLines(found: readonly EventObject[], now: Date): string[] {
  if (found.length === 0) return ['Events:  <none>'];
  const columns: readonly Column<EventObject>[] = [
    ['Type', ({ type = '' }) => type],
    ['Reason', ({ reason = '' }) => reason],
    ['Age', (event) => humanDuration(now.getTime() - Date.parse(timeOf(event)))],
    ['From', ({ source, reportingComponent = '' }) => source?.component ?? reportingComponent],
    ['Message', ({ message = '' }) => message],
  ];
  return ['Events:', ...tableLines(found, columns).map((line) => `  ${line}`)];
}
