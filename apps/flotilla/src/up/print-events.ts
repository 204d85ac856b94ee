import { installedTools, type Tools } from '../installed-tools.ts';
import { percent, progressLine } from '../progress-line.ts';
import { print } from '../server-flags.ts';
import { shellQuoted } from '../shell-quoted.ts';
import { wrapped } from '../terminal/table.ts';
import { terminalOf } from '../terminal/terminal.ts';
import type { ReadyFleet, StartingFleet, UpEvent } from './up-event.ts';

export type ReportEvent = (event: UpEvent) => void;

/** Prints progress. With `json`, standard output gets one object when the fleet is ready, and standard error the progress. */
export function eventPrinter(output: 'json' | undefined): ReportEvent {
  const line = progressLine('Members joining');
  const printLine = output === 'json' ? (text: string) => void process.stderr.write(`${text}\n`) : print;
  return (event) => {
    if ('joined' in event) return line.show(percent(event.joined / event.of));
    line.clear();
    if ('failed' in event) return;
    if ('warned' in event) return void process.stderr.write(`flotilla: ${event.warned}\n`);
    if ('ready' in event && output === 'json') return print(JSON.stringify(event.ready));
    // With `json` a terminal may show standard error alone.
    const { columns } = terminalOf(output === 'json' ? process.stderr : process.stdout, process.env);
    printLine(textOf(event, { columns, tools: installedTools(process.env) }));
  };
}

interface Reader {
  /** Width of the terminal; undefined for a file or a pipe. */
  readonly columns: number | undefined;
  readonly tools: Tools;
}

export function textOf(
  event: Exclude<UpEvent, { joined: number } | { failed: string } | { warned: string }>,
  reader: Reader,
): string {
  if ('ready' in event) return readyText(event.ready, reader);
  return sentence(eventText(event), reader);
}

function eventText(event: Extract<UpEvent, { starting: object } | { hub: string } | { member: string }>): string {
  if ('starting' in event) return startingText(event.starting);
  if ('hub' in event) return `The hub is ready at ${event.hub}.`;
  return `${event.member} has ${event.membership} the fleet.`;
}

/** Commands are not wrapped, so that users can copy them. */
function sentence(text: string, { columns = Infinity }: Reader): string {
  return wrapped(text, columns).join('\n');
}

function startingText({ name, dataDirectory, isOlder }: StartingFleet): string {
  if (dataDirectory === undefined) return `Starting fleet "${name}" in memory; nothing is stored.`;
  const older = isOlder ? ', which an earlier release made' : '';
  return `Starting fleet "${name}" with the data directory ${dataDirectory}${older}.`;
}

function readyText(fleet: ReadyFleet, reader: Reader): string {
  const { tools } = reader;
  const state = stateLines(fleet).map((line) => sentence(line, reader));
  const commands = commandsFor(fleet, tools).map((command) => `  ${command}`);
  return [...state, '', 'Try it:', ...commands, '', ...howToStop(fleet, tools, reader)].join('\n');
}

function stateLines({ name, url, pid, startedAt, members, waiting = 0, agents = [], readyMs }: ReadyFleet): string[] {
  if (readyMs === undefined) return [`Fleet "${name}" already runs at ${url} since ${startedAt} (process ${pid}).`];
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

function commandsFor(fleet: ReadyFleet, { flotilla, hasKubectl }: Tools): string[] {
  const { name, kubeconfig, hubContext, memberContext, mergedInto } = fleet;
  const prefix = mergedInto === undefined ? '' : `${name}-`;
  const get = (kind: string, context: string): string =>
    hasKubectl
      ? `kubectl --context ${prefix}${context} get ${kind}`
      : `${flotilla} get ${kind} --context ${prefix}${context}`;
  return [
    ...(mergedInto === undefined ? [`export KUBECONFIG=${shellQuoted(kubeconfig)}`] : []),
    `${flotilla} status${mergedInto === undefined ? '' : ` --context ${prefix}${hubContext}`}`,
    get('memberclusters', hubContext),
    ...(memberContext === undefined ? [] : [get('nodes', memberContext)]),
  ];
}

function howToStop({ name, log, readyMs }: ReadyFleet, { flotilla }: Tools, reader: Reader): string[] {
  if (log === undefined && readyMs !== undefined) return ['Ctrl-C stops it.'];
  const where = log === undefined ? '' : `It runs in the background and logs to ${log}. `;
  return [sentence(`${where}Stop it with:`, reader), `  ${flotilla} down --name ${name}`];
}
