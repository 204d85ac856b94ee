import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { connect, type Client } from '@flotilla/client';
import { attachHub } from '@flotilla/fleet';
import { MetricsRegistry } from '@flotilla/kube';
import type { AttachOptions } from '../commands/hub.ts';
import { electionIn } from '../election-options.ts';
import { explainedAccess } from '../explain-access-error.ts';
import { settingsIn } from '../membership-options.ts';
import { processLogger } from '../process-logger.ts';
import { say } from '../server-flags.ts';
import { startStatusServers } from '../agent/status-servers.ts';
import { stopSignal } from '../stop-signal.ts';

/** The hub's controllers on the server of others, until somebody stops them. */
export async function attachToServer(options: AttachOptions): Promise<void> {
  const metrics = new MetricsRegistry();
  const status = await startStatusServers(
    { health: given(options.healthProbeBindAddress), metrics: given(options.metricsBindAddress) },
    metrics,
  );
  try {
    const client = await connected(options);
    await work(client, options, metrics).finally(() => client.close());
  } catch (error) {
    throw explainedAccess(error);
  } finally {
    status.stop();
  }
}

async function work(client: Client, options: AttachOptions, metrics: MetricsRegistry): Promise<void> {
  // No two programs are the same candidate.
  const election = electionIn(options, `${hostname()}_${randomUUID()}`);
  const logger = processLogger(options.logLevel);
  const hub = attachHub({ client, logger, metrics, settings: settingsIn(options), ...(election && { election }) });
  say(election ? 'Standing by to lead.' : 'Starting.');
  const stopped = stopSignal();
  const working = hub.working.then(() => say('Ready: members are looked after here.'));
  await Promise.race([working, stopped]);
  await Promise.race([hub.stopped, stopped]);
  say('Stopping.');
  await hub.stop();
}

function connected({ kubeconfig, context, inCluster }: AttachOptions): Promise<Client> {
  const { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
  return connect({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    // In a pod there may be kubeconfigs for other purposes.
    environment: inCluster === true ? { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } : process.env,
    userAgent: 'flotilla-hub',
  });
}

function given(address: string | undefined): string[] {
  return address === undefined || address === '0' ? [] : [address];
}
