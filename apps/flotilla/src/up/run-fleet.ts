import {
  networkingWord,
  startFleet,
  type FleetProgress,
  type HubShape,
  type RunningFleet,
  type StartHubOptions,
} from '@flotilla/fleet';
import { serverOptionsIn, servingFilesIn } from '../apiserver-flags.ts';
import type { FleetRecord } from '../fleets/fleet-record.ts';
import { recordFleet, recordedKubeconfig, runningFleets } from '../fleets/running-fleets.ts';
import { loadSchedulerPlugins } from '../hub/load-scheduler-plugins.ts';
import { kubeconfigPaths, mergedFile, writeKubeconfigs, type KubeconfigFile } from '../kubeconfig-file.ts';
import { kubeconfigIn } from '../own-kubeconfig.ts';
import { priceFile } from '../price-file.ts';
import { replaceFile } from '../replace-file.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import type { ServerFlags } from '../server-flags.ts';
import { startOptionsIn } from '../start-options.ts';
import { explainUpError } from './explain-up-error.ts';
import { limitHeapGrowth } from './heap-growth.ts';
import { flagsWithFile, type IsTyped } from './hub-flags.ts';
import type { FleetPlan } from './plan-fleet.ts';
import type { ReportEvent } from './print-events.ts';
import type { ReadyFleet, UpEvent } from './up-event.ts';

interface RunOptions {
  readonly plan: FleetPlan;
  readonly isTyped: IsTyped;
  readonly report: ReportEvent;
  /** The log of a process in the background. */
  readonly log: string | undefined;
}

/** Runs a hub and its members in this process, until SIGINT or SIGTERM. */
export async function runFleet({ plan, isTyped, report, log }: RunOptions): Promise<void> {
  const { flags, shape, name, dataDirectory } = plan;
  const options = await startOptionsIn(flags);
  report({ starting: { name, ...(dataDirectory !== undefined && { dataDirectory }), isOlder: plan.isOlder } });
  limitHeapGrowth();
  let used: ServerFlags = flags;
  let files: KubeconfigFile[] = [];
  const fleet = await startFleet({
    ...options,
    ...(flags.members !== undefined && { members: flags.members }),
    shape,
    // The shape may be in the data directory, so that its port is known only now.
    hubOptions: async (hub) => {
      const hubFlags = (used = flagsWithFile(flags, isTyped, hub));
      files = kubeconfigPaths(used.writeKubeconfig, options.dataDirectory);
      if (flags.merge) files.push(mergedFile(name, process.env));
      const { port, host } = hubFlags;
      const [servingFiles, server] = await Promise.all([servingFilesIn(hubFlags), serverOptionsIn(hubFlags)]);
      // The hub keeps those that it has installed.
      const definitions = shape === undefined ? [] : await definitionsIn(hub);
      const schedulerPlugins = await loadSchedulerPlugins(hub.schedulerPlugin ?? []);
      return { port, host, servingFiles, server, definitions, settings: { schedulerPlugins } };
    },
    openPriceTable: priceFile,
    environment: process.env,
    progress: (step) => report(eventOf(step)),
    accessesRenewed: (accesses) => void writeKubeconfigs(files, accesses),
  }).catch(async (error: unknown) => {
    throw explainUpError(error, used, await runningFleets());
  });
  const kubeconfig = dataDirectory === undefined ? recordedKubeconfig() : kubeconfigIn(dataDirectory);
  const record = recordOf(fleet, plan, { kubeconfig, log });
  let forget: (() => Promise<void>) | undefined;
  await runUntilStopped(files, {
    accesses: fleet.accesses,
    announce: async () => {
      forget = await tryToRecord(record, fleet, report);
      report({ ready: readyFleet(fleet, record, files) });
    },
    stop: async () => {
      await fleet.stop();
      await forget?.();
    },
  });
}

function eventOf(step: FleetProgress): UpEvent {
  return 'hub' in step ? { hub: step.hub.url } : step;
}

/** Those in files. */
async function definitionsIn({ definitions }: HubShape): Promise<NonNullable<StartHubOptions['definitions']>> {
  const files = definitions.filter((name) => name !== networkingWord);
  if (files.length === 0) return [];
  const { readDefinitions } = await import('../definition-files.ts');
  return (await Promise.all(files.map(readDefinitions))).flat();
}

type OwnRecord = Omit<FleetRecord, 'pid' | 'processStart'>;

function recordOf(
  { hub, shape, members }: RunningFleet,
  { name, dataDirectory }: FleetPlan,
  { kubeconfig, log }: { readonly kubeconfig: string; readonly log: string | undefined },
): OwnRecord {
  const startedAt = new Date(performance.timeOrigin).toISOString();
  return {
    name,
    url: hub.url,
    kubeconfig,
    hubContext: shape.hub.context,
    members: members.size,
    ...(dataDirectory !== undefined && { dataDirectory }),
    ...(log !== undefined && { log }),
    startedAt,
  };
}

/** A fleet runs without its record, too. */
async function tryToRecord(
  record: OwnRecord,
  { kubeconfig }: RunningFleet,
  report: ReportEvent,
): Promise<(() => Promise<void>) | undefined> {
  try {
    if (record.kubeconfig === recordedKubeconfig()) await replaceFile(record.kubeconfig, kubeconfig);
    return await recordFleet(record);
  } catch (error) {
    const { message } = error as Error;
    const advice = `set XDG_STATE_HOME to a folder that is writable, or stop it with: kill ${process.pid}`;
    report({ warned: `"flotilla down" will not find this fleet: ${message}; ${advice}` });
    return undefined;
  }
}

function readyFleet(
  { shape, members, attachedMembers }: RunningFleet,
  record: OwnRecord,
  files: readonly KubeconfigFile[],
): ReadyFleet {
  const [first] = shape.members.filter(({ name }) => members.has(name));
  const merged = files.find(({ prefix }) => prefix !== undefined);
  const shown = files.findLast(({ prefix }) => prefix === undefined);
  return {
    ...record,
    ...(shown && { kubeconfig: shown.path }),
    pid: process.pid,
    ...(first && { memberContext: first.context }),
    waiting: shape.members.filter(({ join: how }) => how === 'waits').length,
    agents: Array.from(attachedMembers.values(), ({ name, url }) => ({ name, url })),
    ...(merged && { mergedInto: merged.path }),
    readyMs: Math.round(performance.now()),
  };
}
