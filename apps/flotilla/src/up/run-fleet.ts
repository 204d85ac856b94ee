import {
  networkingWord,
  startFleet,
  type FleetProgress,
  type HubShape,
  type RunningFleet,
  type StartHubOptions,
} from '@flotilla/fleet';
import { serverOptionsIn, servingFilesIn } from '../apiserver-flags.ts';
import type { UpFlags } from '../commands/up.ts';
import { loadSchedulerPlugins } from '../hub/load-scheduler-plugins.ts';
import { kubeconfigPaths, writeKubeconfigs, type KubeconfigFile } from '../kubeconfig-file.ts';
import { priceFile } from '../price-file.ts';
import { progressLine } from '../progress-line.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, explainStartError, print, type ServerFlags } from '../server-flags.ts';
import { startOptionsIn } from '../start-options.ts';
import { flagsWithFile, type IsTyped } from './hub-flags.ts';

/** Runs a hub and its members in this process, until SIGINT or SIGTERM. */
export async function runFleet(flags: UpFlags, isTyped: IsTyped): Promise<void> {
  const shape =
    flags.file === undefined ? undefined : await (await import('./fleet-file.ts')).readFleetFile(flags.file);
  let used: ServerFlags = shape === undefined ? flags : flagsWithFile(flags, isTyped, shape.hub);
  const options = await startOptionsIn(used);
  announceStart(options.dataDirectory);
  let files: KubeconfigFile[] = [];
  const line = progressLine('Members joining');
  const fleet = await startFleet({
    ...options,
    ...(flags.members !== undefined && { members: flags.members }),
    shape,
    // The shape may be in the data directory, so that its port is known only now.
    hubOptions: async (hub) => {
      const hubFlags = (used = flagsWithFile(flags, isTyped, hub));
      files = kubeconfigPaths(used.writeKubeconfig, options.dataDirectory);
      const { port, host } = hubFlags;
      const [servingFiles, server] = await Promise.all([servingFilesIn(hubFlags), serverOptionsIn(hubFlags)]);
      // The hub keeps those that it has installed.
      const definitions = shape === undefined ? [] : await definitionsIn(hub);
      const schedulerPlugins = await loadSchedulerPlugins(hub.schedulerPlugin ?? []);
      return { port, host, servingFiles, server, definitions, settings: { schedulerPlugins } };
    },
    openPriceTable: priceFile,
    environment: process.env,
    progress: (step) => show(step, line),
    accessesRenewed: (accesses) => void writeKubeconfigs(files, accesses),
  }).catch((error: unknown) => {
    line.clear();
    throw explainStartError(error, used);
  });
  line.clear();
  await runUntilStopped(files, {
    accesses: fleet.accesses,
    announce: (kubeconfig) => announce(fleet, kubeconfig),
    stop: () => fleet.stop(),
  });
}

/** Those in files. */
async function definitionsIn({ definitions }: HubShape): Promise<NonNullable<StartHubOptions['definitions']>> {
  const files = definitions.filter((name) => name !== networkingWord);
  if (files.length === 0) return [];
  const { readDefinitions } = await import('../definition-files.ts');
  return (await Promise.all(files.map(readDefinitions))).flat();
}

function show(step: FleetProgress, line: ReturnType<typeof progressLine>): void {
  if ('hub' in step) print(`The hub is ready at ${step.hub.url}.`);
  else if ('joined' in step) line.show(step.joined / step.of);
  else print(`${step.member} has ${step.membership === 'joined' ? 'joined' : 'left'} the fleet.`);
}

function announce({ shape, members, attachedMembers }: RunningFleet, kubeconfig: string | undefined): void {
  const waiting = shape.members.filter(({ join }) => join === 'waits').length;
  const joined = members.size - waiting;
  if (joined > 0) print(`${joined === 1 ? '1 member has' : `${joined} members have`} joined.`);
  if (waiting > 0)
    print(
      `${waiting === 1 ? '1 member waits for its MemberCluster' : `${waiting} members wait for their MemberClusters`}.`,
    );
  for (const { name, url } of attachedMembers.values()) print(`The agent of ${name} runs, for the cluster at ${url}.`);
  if (kubeconfig === undefined) return print('\nCtrl-C stops it.');
  const [first] = shape.members.filter(({ name }) => members.has(name));
  print(`
Try it:
  export KUBECONFIG=${kubeconfig}
  kubectl --context ${shape.hub.context} get memberclusters${first === undefined ? '' : `\n  kubectl --context ${first.context} get nodes`}

Ctrl-C stops it.`);
}
