import { Command } from 'commander';
import { addCredentialOptions, credentialsIn, type CredentialOptions } from '../credential-options.ts';
import {
  addLogLevel,
  addServerOptions,
  announceStart,
  dataDirectoryOf,
  explainedStart,
  say,
  type ServerOptions,
} from '../server-options.ts';
import { stopSignal } from '../stop-signal.ts';

interface Options extends ServerOptions, CredentialOptions {
  readonly bare?: boolean;
  readonly disableAdmissionPlugins?: readonly string[];
}

export function apiserverCommand(): Command {
  const command = addServerOptions(new Command('apiserver'))
    .description('Runs the Kubernetes-compatible API server alone.')
    .option('--bare', 'leave out housekeeping: namespaces, garbage collection, service accounts are up to others')
    .option('--disable-admission-plugins <names>', 'leave these out, separated by commas', namesIn);
  return addLogLevel(addCredentialOptions(command)).action((options: Options) => run(options));
}

function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}

async function run(options: Options): Promise<void> {
  const dataDirectory = dataDirectoryOf(options);
  const [{ startServer }, { kubeconfigPaths, writeKubeconfigs }, { processLogger }] = await Promise.all([
    import('@flotilla/fleet'),
    import('../kubeconfig-file.ts'),
    import('../process-logger.ts'),
  ]);
  const credentials = await credentialsIn(options);
  announceStart(dataDirectory);
  const files = kubeconfigPaths(options.writeKubeconfig, dataDirectory);
  const server = await startServer({
    ...(dataDirectory !== undefined && { dataDirectory }),
    ...(options.bare && { bare: true }),
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
  // Scripts wait for the kubeconfig and may stop the server the moment it is there.
  const stopped = stopSignal();
  try {
    await writeKubeconfigs(files, [server.access]);
    announce(server.url, files.at(-1)?.path);
    await stopped;
    say('Stopping.');
  } finally {
    await server.close();
  }
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
