/** How `flotilla status` prints a fleet. */
import type { FleetRecord } from '../fleets/fleet-record.ts';
import { tableLines, wrapped, type Column } from '../terminal/table.ts';
import { painted, printable, type Terminal, type Tone } from '../terminal/terminal.ts';
import type { FleetStatus, MemberStatus, PlacementSummary, RunStatus, StuckThing } from './fleet-status.ts';

/** Fleets may have a thousand members: those with problems come first, and the rest is counted. */
const maxRows = 20;

export function statusLines(url: string, status: FleetStatus, terminal: Terminal): string[] {
  const { members, placements, runs, stuck } = status;
  const ready = members.filter(({ state }) => state === 'Ready').length;
  const available = placements.filter(isDone).length;
  const parts = [
    `${counted(members.length, 'member')}, ${ready} ready`,
    `${counted(placements.length, 'placement')}, ${available} done`,
  ];
  return [
    `Hub ${url}: ${parts.join('; ')}.`,
    ...section(members, memberColumns, ({ state }) => state === 'Ready', terminal),
    ...section(placements, placementColumns, isDone, terminal),
    ...section(runs, runColumns, () => true, terminal),
    '',
    ...(stuck.length === 0
      ? [painted(terminal, 'Nothing is stuck.', 'good')]
      : [painted(terminal, 'Stuck:', 'bad'), ...limited(stuck.flatMap((thing) => stuckLines(thing, terminal)))]),
  ];
}

/** One sentence for each fleet that runs on this machine. */
export function recordLines(records: readonly FleetRecord[], { columns = Infinity }: Terminal): string[] {
  return records.flatMap(({ name, pid, url, log, dataDirectory }) => {
    const how = log === undefined ? '' : ' in the background';
    const data = dataDirectory === undefined ? 'in memory' : `data in ${dataDirectory}`;
    return wrapped(`Fleet "${name}" runs${how}: process ${pid}, ${url}, ${data}.`, columns);
  });
}

const memberColumns: readonly Column<MemberStatus>[] = [
  ['MEMBER', ({ name }) => name],
  ['STATE', ({ state }) => state, ({ state }) => (state === 'Ready' ? 'good' : memberTone(state))],
  ['HEARTBEAT', ({ heartbeat }) => heartbeat],
  ['NODES', ({ nodes }) => nodes],
  ['PLACEMENTS', ({ placements }) => String(placements)],
];

function memberTone(state: MemberStatus['state']): Tone {
  return state === 'Joining' || state === 'Leaving' ? 'waiting' : 'bad';
}

const placementColumns: readonly Column<PlacementSummary>[] = [
  ['PLACEMENT', ({ placement }) => placement],
  ['DONE', ({ done, clusters }) => `${done}/${clusters}`],
  ['STATE', ({ state }) => state, (one) => (isDone(one) ? 'good' : 'waiting')],
];

const runColumns: readonly Column<RunStatus>[] = [
  ['RUN', ({ run }) => run],
  ['STATE', ({ state }) => state, ({ state }) => (state === 'Stuck' || state === 'Failed' ? 'bad' : 'waiting')],
  ['STAGE', ({ stage }) => stage],
  ['CLUSTERS', ({ updated, clusters }) => `${updated}/${clusters}`],
  ['WAITING FOR', ({ waitingFor }) => waitingFor.join(', ')],
];

function isDone({ done, clusters }: PlacementSummary): boolean {
  return clusters > 0 && done === clusters;
}

function section<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  isFine: (row: T) => boolean,
  terminal: Terminal,
): string[] {
  if (rows.length === 0) return [];
  const isLong = rows.length > maxRows;
  const shown = isLong ? rows.toSorted((a, b) => Number(isFine(a)) - Number(isFine(b))).slice(0, maxRows) : rows;
  const rest = rows.length - shown.length;
  const fine = rows.filter((row) => !shown.includes(row)).every(isFine);
  const more = rest > 0 ? [`… and ${rest} more${fine ? ' without problems' : ''}`] : [];
  return ['', ...tableLines(shown, columns, terminal), ...more];
}

const maxClusters = 5;

function stuckLines({ what, where, since, why, next }: StuckThing, terminal: Terminal): string[] {
  const more = where.length > maxClusters ? ` and ${where.length - maxClusters} more` : '';
  const place = where.length === 0 ? '' : ` on ${where.slice(0, maxClusters).join(', ')}${more}`;
  const time = since === '' ? '' : ` for ${since}`;
  const width = (terminal.columns ?? Infinity) - indent.length;
  const lines = wrapped(printable(`${what}${place}${time}: ${why}`), width);
  return [...lines.map((line) => `${indent}${line}`), `${indent}→ ${next}`];
}

const indent = '  ';
const maxStuckLines = 60;

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - maxStuckLines;
  return rest > 0 ? [...lines.slice(0, maxStuckLines), `${indent}…`] : [...lines];
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
