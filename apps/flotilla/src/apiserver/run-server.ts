import { startServer } from '@flotilla/fleet/server';
import type { ApiserverFlags } from '../commands/apiserver.ts';
import { kubeconfigPaths, writeKubeconfigs } from '../kubeconfig-file.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, explainedStart, say } from '../server-flags.ts';
import { startOptionsIn } from '../start-options.ts';

/** The API server alone, until somebody stops it. */
export async function runServer(flags: ApiserverFlags): Promise<void> {
  const options = await startOptionsIn(flags);
  announceStart(options.dataDirectory);
  const files = kubeconfigPaths(flags.writeKubeconfig, options.dataDirectory);
  const server = await startServer({
    ...options,
    bare: flags.bare === true,
    accessRenewed: (access) => void writeKubeconfigs(files, [access]),
  }).catch((error: unknown) => {
    throw explainedStart(error, flags);
  });
  await runUntilStopped(files, {
    accesses: [server.access],
    announce: (kubeconfig) => announce(server.url, kubeconfig),
    stop: () => server.stop(),
  });
}

function announce(url: string, kubeconfig: string | undefined): void {
  say(`Ready at ${url}.`);
  if (kubeconfig === undefined) return;
  say(`
Try it:
  export KUBECONFIG=${kubeconfig}
  kubectl create namespace demo
  kubectl get namespaces

Ctrl-C stops it.`);
}
