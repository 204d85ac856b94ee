import { startHub } from '@flotilla/fleet';
import type { OwnServerOptions } from '../commands/hub.ts';
import { credentialsIn } from '../credential-options.ts';
import { kubeconfigPaths, writeKubeconfigs } from '../kubeconfig-file.ts';
import { settingsIn } from '../membership-options.ts';
import { processLogger } from '../process-logger.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, dataDirectoryOf, explainedStart, say } from '../server-options.ts';

/** A hub with a server of its own, until somebody stops it. */
export async function runHub(options: OwnServerOptions): Promise<void> {
  const dataDirectory = dataDirectoryOf(options);
  const credentials = await credentialsIn(options);
  announceStart(dataDirectory);
  const files = kubeconfigPaths(options.writeKubeconfig, dataDirectory);
  const hub = await startHub({
    ...(dataDirectory !== undefined && { dataDirectory, isNew: options.new === true }),
    port: options.port,
    host: options.host,
    logger: processLogger(options.logLevel),
    ...credentials,
    settings: settingsIn(options),
    accessRenewed: (access) => void writeKubeconfigs(files, [{ ...access, name: 'hub' }]),
    rotationFailed: (error) => say(`Certificates could not be renewed: ${(error as Error).message}`),
    reportLoopDelay: process.env['FLOTILLA_REPORT_LOOP_DELAY'] === '1',
  }).catch((error: unknown) => {
    throw explainedStart(error, options);
  });
  await runUntilStopped(files, {
    accesses: [{ ...hub.access, name: 'hub' }],
    announce: (kubeconfig) => announce(hub.url, kubeconfig),
    stop: () => hub.stop(),
  });
}

function announce(url: string, kubeconfig: string | undefined): void {
  say(`Ready at ${url}.`);
  if (kubeconfig === undefined) return;
  say(`
Let a cluster join:
  flotilla join NAME --kubeconfig ${kubeconfig} --write-kubeconfig NAME.kubeconfig
  flotilla agent --name NAME --hub-kubeconfig NAME.kubeconfig --member-kubeconfig FILE
  kubectl --kubeconfig ${kubeconfig} --context hub get memberclusters

Ctrl-C stops it.`);
}
