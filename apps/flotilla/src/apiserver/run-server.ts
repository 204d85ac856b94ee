import { startServer } from '@flotilla/fleet/server';
import type { ApiserverFlags } from '../commands/apiserver.ts';
import { installedTools, type Tools } from '../installed-tools.ts';
import { kubeconfigPaths, writeKubeconfigs } from '../kubeconfig-file.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, explainStartError, print } from '../server-flags.ts';
import { shellQuoted } from '../shell-quoted.ts';
import { startOptionsIn } from '../start-options.ts';

/** Runs the API server alone, until SIGINT or SIGTERM. */
export async function runServer(flags: ApiserverFlags): Promise<void> {
  const options = await startOptionsIn(flags);
  announceStart(options.dataDirectory);
  const files = kubeconfigPaths(flags.writeKubeconfig, options.dataDirectory);
  const server = await startServer({
    ...options,
    bare: flags.bare === true,
    accessRenewed: (access) => void writeKubeconfigs(files, [access]),
  }).catch((error: unknown) => {
    throw explainStartError(error, flags);
  });
  await runUntilStopped(files, {
    accesses: [server.access],
    announce: (kubeconfig) => announce(server.url, kubeconfig),
    stop: () => server.stop(),
  });
}

function announce(url: string, kubeconfig: string | undefined): void {
  print(`Ready at ${url}.`);
  if (kubeconfig === undefined) return;
  const commands = [`export KUBECONFIG=${shellQuoted(kubeconfig)}`, ...firstCommands(installedTools(process.env))];
  print(['', 'Try it:', ...commands.map((command) => `  ${command}`), '', 'Ctrl-C stops it.'].join('\n'));
}

function firstCommands({ flotilla, hasKubectl }: Tools): string[] {
  if (hasKubectl) return ['kubectl create namespace demo', 'kubectl get namespaces'];
  return [`${flotilla} version`, `${flotilla} get namespaces`];
}
