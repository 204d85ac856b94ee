import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { connect, type Client } from '@flotilla/client';
import { attachedSettings, attachHub, checkSettingsOf, startWebhooks, type HubSettings } from '@flotilla/fleet';
import { MetricsRegistry } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import type { AttachOptions } from '../commands/hub.ts';
import { electionIn } from '../election-options.ts';
import { explainAccessError } from '../explain-access-error.ts';
import { processLogger } from '../process-logger.ts';
import { print } from '../server-flags.ts';
import { logLevelIn } from '../agent/agent-settings.ts';
import { startStatusServers } from '../agent/status-servers.ts';
import { stopSignal } from '../stop-signal.ts';
import { UserError } from '../user-error.ts';
import { webhookSettingsIn } from '../webhook-options.ts';
import { hubSettingsIn } from './hub-settings.ts';

/** Runs the hub's controllers against an existing server, until SIGINT or SIGTERM. */
export async function attachToServer(options: AttachOptions): Promise<void> {
  const metrics = new MetricsRegistry();
  const pending = pendingChecks(options);
  const status = await startStatusServers(
    { health: addressesOf(options.healthProbeBindAddress), metrics: addressesOf(options.metricsBindAddress) },
    metrics,
    pending,
  );
  try {
    const client = await connectToServer(options);
    await runWithWebhooks(client, options, { metrics, pending }).finally(() => client.close());
  } catch (error) {
    throw explainAccessError(error);
  } finally {
    status.stop();
  }
}

interface Process {
  readonly metrics: MetricsRegistry;
  /** Ready when it is empty. */
  readonly pending: Set<string>;
}

const [webhookServer, informerCache] = ['webhook-server', 'informer-cache'];

/** The checks of KubeFleet's hub agent. A replica that waits for its lease is ready: else a rolling update would wait for it. */
function pendingChecks(options: AttachOptions): Set<string> {
  const hasWebhooks = webhookSettingsIn(options, process.env['POD_NAMESPACE']) !== undefined;
  return new Set([
    ...(hasWebhooks ? [webhookServer] : []),
    ...(options.leaderElect === 'false' ? [informerCache] : []),
  ]);
}

/** Every replica serves the webhooks; only the leader runs the controllers. */
async function runWithWebhooks(client: Client, options: AttachOptions, own: Process): Promise<void> {
  const webhookSettings = webhookSettingsIn(options, process.env['POD_NAMESPACE']);
  const given = await hubSettingsIn(options);
  if (!webhookSettings) {
    if (given.guardRail && options.enableWebhook !== 'false') {
      throw new UserError(
        '--enable-guard-rail only applies with --webhook-url, --webhook-service or --enable-webhook.',
      );
    }
    return runControllers(client, options, given, own);
  }
  // OCM has webhooks of its own.
  const settings = await attachedSettings(client, given);
  const logger = processLogger(logLevelIn(options));
  const { listenForReviews } = await import('./webhook-server.ts');
  const webhooks = await startWebhooks({
    client,
    clock: systemClock,
    logger,
    address: webhookSettings.address,
    checks: checkSettingsOf(settings),
    listen: (certificate, answer) => listenForReviews(webhookSettings.bindAddress, certificate, answer),
  });
  own.pending.delete(webhookServer);
  print(`Serving webhooks on ${webhookSettings.bindAddress}.`);
  await runControllers(client, options, settings, own).finally(() => webhooks.stop());
}

async function runControllers(
  client: Client,
  options: AttachOptions,
  settings: HubSettings,
  { metrics, pending }: Process,
): Promise<void> {
  // Each process needs its own identity in the election.
  const election = electionIn(options, `${hostname()}_${randomUUID()}`);
  const logger = processLogger(logLevelIn(options));
  const hub = attachHub({
    client,
    logger,
    metrics,
    settings,
    ...(election && { election }),
  });
  print(election ? 'Waiting to become leader.' : 'Starting.');
  const stopped = stopSignal();
  const started = hub.started.then(() => {
    pending.delete(informerCache);
    print("Ready: the hub's controllers are running.");
    const { leftToOcm } = hub.stages();
    if (leftToOcm.length > 0) {
      print(
        `OCM runs on this server, so ${leftToOcm.join(', ')} are left to it. Name them in --controllers to run them.`,
      );
    }
  });
  await Promise.race([started, stopped]);
  await Promise.race([hub.stopped, stopped]);
  print('Stopping.');
  await hub.stop();
}

function connectToServer({ kubeconfig, context, inCluster }: AttachOptions): Promise<Client> {
  const { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
  return connect({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    // With --in-cluster, ignores KUBECONFIG and HOME: a pod may have kubeconfigs for other purposes.
    environment: inCluster === true ? { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } : process.env,
    userAgent: 'flotilla-hub',
  });
}

function addressesOf(address: string | undefined): string[] {
  return address === undefined || address === '0' ? [] : [address];
}
