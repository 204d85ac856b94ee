import type { FleetProgress, RunningFleet } from '@flotilla/fleet';
import { Command, InvalidArgumentError } from 'commander';
import { progressLine } from '../progress-line.ts';
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

interface Options extends ServerOptions {
  readonly members?: number;
}

/** One data directory has room for so many clusters. */
const mostMembers = 2000;

export function upCommand(): Command {
  const command = addServerOptions(new Command('up'))
    .description('Runs a fleet in one process: a hub, and members that are simulated clusters.')
    .option(
      '--members <n>',
      'how many clusters join the hub (default: those in the data directory, or 3)',
      memberCount,
    );
  return addLogLevel(command).action((options: Options) => run(options));
}

function memberCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > mostMembers) {
    throw new InvalidArgumentError(`A fleet has from 0 to ${mostMembers} members.`);
  }
  return count;
}

async function run(options: Options): Promise<void> {
  const dataDirectory = dataDirectoryOf(options);
  const [{ startFleet }, { kubeconfigPaths, writeKubeconfigs }, { processLogger }] = await Promise.all([
    import('@flotilla/fleet'),
    import('../kubeconfig-file.ts'),
    import('../process-logger.ts'),
  ]);
  announceStart(dataDirectory);
  const files = kubeconfigPaths(options.writeKubeconfig, dataDirectory);
  const line = progressLine('Members joining');
  const fleet = await startFleet({
    ...(options.members !== undefined && { members: options.members }),
    ...(dataDirectory !== undefined && { dataDirectory }),
    port: options.port,
    host: options.host,
    logger: processLogger(options.logLevel),
    progress: (step) => show(step, line),
    accessesRenewed: (accesses) => void writeKubeconfigs(files, accesses),
    rotationFailed: (error) => say(`Certificates could not be renewed: ${(error as Error).message}`),
    reportLoopDelay: process.env['FLOTILLA_REPORT_LOOP_DELAY'] === '1',
  }).catch((error: unknown) => {
    line.clear();
    throw explainedStart(error, options);
  });
  line.clear();
  // Scripts wait for the kubeconfig and may stop the fleet the moment it is there.
  const stopped = stopSignal();
  try {
    await writeKubeconfigs(files, fleet.accesses);
    announce(fleet, files.at(-1)?.path);
    await stopped;
    say('Stopping.');
  } finally {
    await fleet.stop();
  }
}

function show(step: FleetProgress, line: ReturnType<typeof progressLine>): void {
  if ('hub' in step) say(`The hub is ready at ${step.hub.url}.`);
  else line.show(step.joined / step.of);
}

function announce({ members }: RunningFleet, kubeconfig: string | undefined): void {
  const names = [...members.keys()];
  if (names.length > 0) say(`${names.length === 1 ? '1 member has' : `${names.length} members have`} joined.`);
  if (kubeconfig === undefined) return say('\nCtrl-C stops it.');
  say(`
Try it:
  export KUBECONFIG=${kubeconfig}
  kubectl --context hub get memberclusters${names[0] === undefined ? '' : `\n  kubectl --context ${names[0]} get nodes`}

Ctrl-C stops it.`);
}
