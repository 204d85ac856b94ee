import { startHub } from '@flotilla/fleet';
import type { OwnServerFlags } from '../commands/hub.ts';
import { kubeconfigPaths, writeKubeconfigs } from '../kubeconfig-file.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, explainStartError, print } from '../server-flags.ts';
import { startOptionsIn } from '../start-options.ts';
import { hubSettingsIn } from './hub-settings.ts';

/** Runs a hub with its own API server, until SIGINT or SIGTERM. */
export async function runHub(flags: OwnServerFlags): Promise<void> {
  const options = await startOptionsIn(flags);
  announceStart(options.dataDirectory);
  const files = kubeconfigPaths(flags.writeKubeconfig, options.dataDirectory);
  const hub = await startHub({
    ...options,
    settings: await hubSettingsIn(flags),
    accessRenewed: (access) => void writeKubeconfigs(files, [{ ...access, name: 'hub' }]),
  }).catch((error: unknown) => {
    throw explainStartError(error, flags);
  });
  await runUntilStopped(files, {
    accesses: [{ ...hub.access, name: 'hub' }],
    announce: (kubeconfig) => announce(hub.url, kubeconfig),
    stop: () => hub.stop(),
  });
}

function announce(url: string, kubeconfig: string | undefined): void {
  print(`Ready at ${url}.`);
  if (kubeconfig === undefined) return;
  print(`
Join a cluster:
  flotilla join NAME --kubeconfig ${kubeconfig} --write-kubeconfig NAME.kubeconfig
  flotilla agent --name NAME --hub-kubeconfig NAME.kubeconfig --member-kubeconfig FILE
  kubectl --kubeconfig ${kubeconfig} --context hub get memberclusters

Ctrl-C stops it.`);
}
