import { startFleet, type FleetProgress, type RunningFleet } from '@flotilla/fleet';
import type { UpFlags } from '../commands/up.ts';
import { kubeconfigPaths, writeKubeconfigs } from '../kubeconfig-file.ts';
import { progressLine } from '../progress-line.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, explainStartError, print } from '../server-flags.ts';
import { startOptionsIn } from '../start-options.ts';

/** Runs a hub and its members in this process, until SIGINT or SIGTERM. */
export async function runFleet(flags: UpFlags): Promise<void> {
  const options = await startOptionsIn(flags);
  announceStart(options.dataDirectory);
  const files = kubeconfigPaths(flags.writeKubeconfig, options.dataDirectory);
  const line = progressLine('Members joining');
  const fleet = await startFleet({
    ...(flags.members !== undefined && { members: flags.members }),
    ...options,
    progress: (step) => show(step, line),
    accessesRenewed: (accesses) => void writeKubeconfigs(files, accesses),
  }).catch((error: unknown) => {
    line.clear();
    throw explainStartError(error, flags);
  });
  line.clear();
  await runUntilStopped(files, {
    accesses: fleet.accesses,
    announce: (kubeconfig) => announce(fleet, kubeconfig),
    stop: () => fleet.stop(),
  });
}

function show(step: FleetProgress, line: ReturnType<typeof progressLine>): void {
  if ('hub' in step) print(`The hub is ready at ${step.hub.url}.`);
  else line.show(step.joined / step.of);
}

function announce({ members }: RunningFleet, kubeconfig: string | undefined): void {
  const names = [...members.keys()];
  if (names.length > 0) print(`${names.length === 1 ? '1 member has' : `${names.length} members have`} joined.`);
  if (kubeconfig === undefined) return print('\nCtrl-C stops it.');
  print(`
Try it:
  export KUBECONFIG=${kubeconfig}
  kubectl --context hub get memberclusters${names[0] === undefined ? '' : `\n  kubectl --context ${names[0]} get nodes`}

Ctrl-C stops it.`);
}
