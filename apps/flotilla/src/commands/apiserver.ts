import { resolve } from 'node:path';
import type { LogLevel } from '@flotilla/kube';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addCredentialOptions, credentialsIn, type CredentialOptions } from '../credential-options.ts';
import { defaultDataDirectory } from '../data-directory.ts';
import { stopSignal } from '../stop-signal.ts';
import { UserFault } from '../user-fault.ts';

interface Options extends CredentialOptions {
  readonly dataDir?: string;
  readonly memory?: boolean;
  readonly bare?: boolean;
  readonly port: number;
  readonly host: string;
  readonly writeKubeconfig?: string;
  readonly disableAdmissionPlugins?: readonly string[];
  readonly logLevel: LogLevel;
}

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function apiserverCommand(): Command {
  const command = new Command('apiserver')
    .description('Runs the Kubernetes-compatible API server alone.')
    .option('--data-dir <dir>', 'keep objects and certificates here (default: .data/hub)')
    .option('--memory', 'keep nothing')
    .option('--bare', 'leave out housekeeping: namespaces, garbage collection, service accounts are up to others')
    .option('--port <n>', 'listen here; 0 takes any free port', portNumber, 6443)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option(
      '--write-kubeconfig <file>',
      "put an administrator's access into this kubeconfig (default: kubeconfig in the data directory)",
    )
    .option('--disable-admission-plugins <names>', 'leave these out, separated by commas', namesIn);
  return addCredentialOptions(command)
    .addOption(
      new Option('--log-level <level>', 'what is worth a line on standard error').choices(logLevels).default('warn'),
    )
    .action((options: Options) => run(options));
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}

async function run(options: Options): Promise<void> {
  if (options.memory && options.dataDir !== undefined) {
    throw new UserFault('--memory keeps nothing and --data-dir keeps everything; choose one.');
  }
  const [{ startServer }, { kubeconfigPaths, writeKubeconfigs }, { processLogger }] = await Promise.all([
    import('@flotilla/fleet'),
    import('../kubeconfig-file.ts'),
    import('../process-logger.ts'),
  ]);
  const credentials = await credentialsIn(options);
  const dataDirectory = options.memory ? undefined : resolve(options.dataDir ?? defaultDataDirectory);
  say(dataDirectory === undefined ? 'Starting; nothing will be kept.' : `Starting; data is kept in ${dataDirectory}.`);
  const files = kubeconfigPaths(options.writeKubeconfig, dataDirectory);
  const server = await startServer({
    ...(dataDirectory !== undefined && { dataDirectory }),
    ...(options.bare && { bare: true }),
    port: options.port,
    host: options.host,
    logger: processLogger(options.logLevel),
    ...credentials,
    ...(options.disableAdmissionPlugins && { disabledAdmission: options.disableAdmissionPlugins }),
    accessRenewed: (access) => void writeKubeconfigs(files, access),
    rotationFailed: (error) => say(`Certificates could not be renewed: ${(error as Error).message}`),
    reportLoopDelay: process.env['FLOTILLA_REPORT_LOOP_DELAY'] === '1',
  }).catch((error: unknown) => {
    throw explained(error, options);
  });
  // Scripts wait for the kubeconfig and may stop the server the moment it is there.
  const stopped = stopSignal();
  try {
    await writeKubeconfigs(files, server.access);
    announce(server.url, files.at(-1));
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

/** Faults that the user can mend become sentences. */
function explained(error: unknown, { port }: Options): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new UserFault(`port ${port} is in use; stop what uses it or choose another with --port (0: any free one).`);
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return new UserFault(error.message);
  const isAboutData = ['DirectoryInUse', 'UnusableDatabase'].includes(error.name);
  return isAboutData ? new UserFault(error.message) : error;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
