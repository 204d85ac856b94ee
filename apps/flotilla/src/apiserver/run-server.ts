import { startServer } from '@flotilla/fleet/server';
import type { ApiserverOptions } from '../commands/apiserver.ts';
import { credentialsIn } from '../credential-options.ts';
import { kubeconfigPaths, writeKubeconfigs } from '../kubeconfig-file.ts';
import { processLogger } from '../process-logger.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { announceStart, dataDirectoryOf, explainedStart, say } from '../server-options.ts';

/** The API server alone, until somebody stops it. */
export async function runServer(options: ApiserverOptions): Promise<void> {
  const dataDirectory = dataDirectoryOf(options);
  const credentials = await credentialsIn(options);
  announceStart(dataDirectory);
  const files = kubeconfigPaths(options.writeKubeconfig, dataDirectory);
  const server = await startServer({
    ...(dataDirectory !== undefined && { dataDirectory, isNew: options.new === true }),
    ...(options.bare && { bare: true }),
    allowsPrivileged: options.allowPrivileged === true,
    port: options.port,
    host: options.host,
    logger: processLogger(options.logLevel),
    ...credentials,
    ...(options.disableAdmissionPlugins && { disabledAdmission: options.disableAdmissionPlugins }),
    accessRenewed: (access) => void writeKubeconfigs(files, [access]),
    rotationFailed: (error) => say(`Certificates could not be renewed: ${(error as Error).message}`),
    reportLoopDelay: process.env['FLOTILLA_REPORT_LOOP_DELAY'] === '1',
  }).catch((error: unknown) => {
    throw explainedStart(error, options);
  });
  await runUntilStopped(files, {
    accesses: [server.access],
    announce: (kubeconfig) => announce(server.url, kubeconfig),
    stop: () => server.close(),
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
