/** The tables of kube-apiserver's debug endpoints, in the text that its `tabwriter` prints. */
import type { Clock } from '@flotilla/timing';
import type { PathHandler } from '../request/path-handler.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { bytesResponse } from '../response/respond.ts';
import { flowNamespaceOf } from './classifier.ts';
import type { FlowConfig } from './flow-config.ts';
import type { Asking } from './flow.ts';
import type { PriorityLevel } from './priority-level.ts';

type Row = readonly string[];

const root = '/debug/api_priority_and_fairness';
/** A level may have ten million queues. Idle ones are alike. */
const maxIdleQueues = 10_000;

export function dumpPaths(config: FlowConfig, clock: Clock): ReadonlyMap<string, PathHandler> {
  const table = (rows: (info: RequestInfo) => Row[]): PathHandler => {
    return (_request, info) => {
      config.load();
      return bytesResponse(200, 'text/plain; charset=utf-8', Buffer.from(tabulate(rows(info))));
    };
  };
  return new Map([
    [`${root}/dump_priority_levels`, table(() => levelRows(config))],
    [`${root}/dump_queues`, table(() => queueRows(config))],
    [
      `${root}/dump_requests`,
      table(({ query }) => requestRows(config, clock, (query.get('includeRequestDetails') ?? '') !== '')),
    ],
  ]);
}

const levelColumns = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
];

function levelRows({ levels }: FlowConfig): Row[] {
  return [levelColumns, ...levels.all().map((level) => levelRow(level, levels.isQuiescing(level)))];
}

function levelRow(level: PriorityLevel, isQuiescing: boolean): Row {
  const { spec, queues, isIdle, executing, dispatched, rejected, timedOut, cancelled } = level;
  const active = new Set(queues.all().map(([{ index }]) => index)).size;
  const values = [active, isIdle, isQuiescing, queues.waiting, executing, dispatched, rejected, timedOut, cancelled];
  return [spec.name, ...values.map(String)];
}

const queueColumns = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
];

function queueRows({ levels }: FlowConfig): Row[] {
  return [queueColumns, ...levels.all().flatMap(rowsOfQueues)];
}

function rowsOfQueues({ spec, queues }: PriorityLevel): Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < Math.min(queues.count, maxIdleQueues); index++) {
    const state = queues.stateOf(index);
    const { waiting = 0, waitingSeats = 0, executing = 0, seatsInUse = 0, nextR = 0, work = 0 } = state ?? {};
    const counts = [index, waiting, executing, seatsInUse].map(String);
    rows.push([
      spec.name,
      ...counts,
      seatSeconds(nextR),
      String(waitingSeats),
      String(waitingSeats),
      seatSeconds(work),
    ]);
  }
  return rows;
}

const requestColumns = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
];
const detailColumns = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];

function requestRows({ levels }: FlowConfig, clock: Clock, hasDetails: boolean): Row[] {
  const startedAt = clock.now() - clock.elapsed();
  const timeOf = (elapsed: number): string => new Date(startedAt + elapsed).toISOString();
  const detailsOf = (asking: Asking): Row => (hasDetails ? details(asking) : []);
  const rows: Row[] = [[...requestColumns, ...(hasDetails ? detailColumns : [])]];
  for (const level of levels.all()) {
    const { name } = level.spec;
    const positions = new Map<number, number>();
    for (const [{ index }, { asking, distinguisher, since }] of level.queues.all()) {
      const position = positions.get(index) ?? 0;
      positions.set(index, position + 1);
      const places = [asking.flow.schema.name, String(index), String(position), distinguisher];
      rows.push([name, ...places, timeOf(since), ...work(asking), notStarted, ...detailsOf(asking)]);
    }
    for (const { asking, queue, since } of level.seated) {
      const places = [asking.flow.schema.name, String(queue?.index ?? -1), '-1', distinguisherOf(asking, level)];
      rows.push([name, ...places, timeOf(since), ...work(asking), timeOf(since), ...detailsOf(asking)]);
    }
  }
  return rows;
}

/** Go's time zero. */
const notStarted = '0001-01-01T00:00:00Z';

function work({ seats }: Asking): Row {
  return [String(seats), '0', '0s'];
}

function distinguisherOf({ flow, user, info }: Asking, { spec }: PriorityLevel): string {
  return (spec.queuing?.queues ?? 0) > 1 ? flow.distinguisherOf(user, info) : '';
}

function details({ user, info, request: { path, method } }: Asking): Row {
  if (!info.isResource) return [user.name, method.toLowerCase(), path, '', '', '', '', ''];
  const { verb, group, version, name, resource, subresource } = info;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return [user.name, verb, path, flowNamespaceOf(info), name, apiVersion, resource, subresource];
}

/** Of seat-milliseconds. */
function seatSeconds(value: number): string {
  return `${(value / 1000).toFixed(8)}ss`;
}

const minWidth = 8;

/** Aligns columns, each one wider than its longest cell with a comma. */
function tabulate(rows: readonly Row[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? minWidth, cell.length + ','.length + 1);
    }
  }
  return rows.map((row) => `${lineOf(row, widths)}\n`).join('');
}

function lineOf(row: Row, widths: readonly number[]): string {
  return row
    .map((cell, column) => (column === row.length - 1 ? cell : `${cell},`.padEnd(widths[column] ?? 0)))
    .join('');
}
