import { progressLine } from '../progress-line.ts';
import { print } from '../server-flags.ts';
import type { ReadyFleet, StartingFleet, UpEvent } from './up-event.ts';

export type ReportEvent = (event: UpEvent) => void;

/** Prints progress. With `json`, standard output gets one object when the fleet is ready, and standard error the progress. */
export function eventPrinter(output: 'json' | undefined): ReportEvent {
  const line = progressLine('Members joining');
  const printLine = output === 'json' ? (text: string) => void process.stderr.write(`${text}\n`) : print;
  return (event) => {
    if ('joined' in event) return line.show(event.joined / event.of);
    line.clear();
    if ('failed' in event) return;
    if ('ready' in event && output === 'json') return print(JSON.stringify(event.ready));
    printLine(textOf(event));
  };
}

export function textOf(event: Exclude<UpEvent, { joined: number } | { failed: string }>): string {
  if ('starting' in event) return startingText(event.starting);
  if ('hub' in event) return `The hub is ready at ${event.hub}.`;
  if ('member' in event) return `${event.member} has ${event.membership} the fleet.`;
  return readyText(event.ready);
}

function startingText({ name, dataDirectory, isOlder }: StartingFleet): string {
  if (dataDirectory === undefined) return `Starting the fleet ${name} in memory; nothing is stored.`;
  const older = isOlder ? ', which an earlier release made' : '';
  return `Starting the fleet ${name} with the data directory ${dataDirectory}${older}.`;
}

function readyText(fleet: ReadyFleet): string {
  return [...stateLines(fleet), '', 'Try it:', ...accessLines(fleet), '', howToStop(fleet)].join('\n');
}

function stateLines({ name, url, pid, startedAt, members, waiting = 0, agents = [], readyMs }: ReadyFleet): string[] {
  if (readyMs === undefined) return [`The fleet ${name} already runs at ${url} since ${startedAt} (process ${pid}).`];
  const joined = members - waiting;
  return [
    ...(joined > 0 ? [`${joined === 1 ? '1 member has' : `${joined} members have`} joined.`] : []),
    ...(waiting > 0
      ? [
          `${waiting === 1 ? '1 member waits for its MemberCluster' : `${waiting} members wait for their MemberClusters`}.`,
        ]
      : []),
    ...agents.map((agent) => `The agent of ${agent.name} runs, for the cluster at ${agent.url}.`),
    `Ready after ${(readyMs / 1000).toFixed(1)} s.`,
  ];
}

function accessLines({ name, kubeconfig, hubContext, memberContext, mergedInto }: ReadyFleet): string[] {
  const prefix = mergedInto === undefined ? '' : `${name}-`;
  return [
    ...(mergedInto === undefined ? [`  export KUBECONFIG=${kubeconfig}`] : []),
    `  kubectl --context ${prefix}${hubContext} get memberclusters`,
    ...(memberContext === undefined ? [] : [`  kubectl --context ${prefix}${memberContext} get nodes`]),
  ];
}

function howToStop({ name, log, readyMs }: ReadyFleet): string {
  const down = `flotilla down --name ${name}`;
  if (log !== undefined) return `It runs in the background and logs to ${log}. Stop it with: ${down}`;
  return readyMs === undefined ? `Stop it with: ${down}` : 'Ctrl-C stops it.';
}
