import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  createClient,
  findAccess,
  httpTransport,
  type Access,
  type AccessOptions,
  type Client,
  type Credentials,
} from '@flotilla/client';
import {
  attachHub,
  checkSettingsOf,
  clientByToken,
  followOcm,
  placementDebugPath,
  PlacementDebugPath,
  startWebhooks,
  type AttachedHub,
  type HubSettings,
} from '@flotilla/fleet';
import { MetricsRegistry } from '@flotilla/kube';
import { LoopTurns, systemClock, whenAborted } from '@flotilla/timing';
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
import { placementDebugPage } from './placement-debug-page.ts';

/** Runs the hub's controllers against an existing server, until SIGINT or SIGTERM. */
export async function attachToServer(options: AttachOptions): Promise<void> {
  const metrics = new MetricsRegistry();
  const pending = pendingChecks(options);
  const debug = new PlacementDebugPath();
  const status = await startStatusServers(
    { health: addressesOf(options.healthProbeBindAddress), metrics: addressesOf(options.metricsBindAddress) },
    metrics,
    pending,
    new Map([[placementDebugPath, placementDebugPage(debug.handle)]]),
  );
  try {
    const access = await findAccess(accessOptionsOf(options));
    const client = clientFor(access);
    const own = { metrics, pending, showPlacements: debugSources(debug, access) };
    await runOnServer(client, options, own).finally(() => client.close());
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
  readonly showPlacements: (hub: AttachedHub) => void;
}

/** Callers of the debug endpoint bring their own tokens. */
function debugSources(debug: PlacementDebugPath, { transport }: Access): Process['showPlacements'] {
  const turns = new LoopTurns();
  const clientOf = clientByToken((token) => {
    const credentials = withToken(transport.credentials, token);
    return createClient(httpTransport({ ...transport, credentials }), { userAgent: 'flotilla-hub-debug' });
  });
  return ({ placementDebug }) => debug.open({ debug: placementDebug, clientOf, turns });
}

function withToken(hub: Credentials | undefined, token: string): Credentials {
  return {
    current: async () => {
      const { authority } = (await hub?.current()) ?? {};
      return { authorization: `Bearer ${token}`, ...(authority !== undefined && { authority }) };
    },
    refused: () => undefined,
  };
}

/** Until SIGINT or SIGTERM. What runs depends on whether OCM is installed, so that all starts again if that changes. */
async function runOnServer(client: Client, options: AttachOptions, own: Process): Promise<void> {
  const settings = await hubSettingsIn(options);
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  const { signal } = stopping;
  const logger = processLogger(logLevelIn(options));
  // Before the first request: a busy server may take a while to answer it.
  print(options.leaderElect === 'false' ? 'Starting.' : 'Waiting to become leader.');
  await followOcm({ client, clock: systemClock, random: Math.random, logger, settings, signal }, (current, until) =>
    runWithWebhooks(client, options, current, own, until),
  );
  print('Stopping.');
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
async function runWithWebhooks(
  client: Client,
  options: AttachOptions,
  settings: HubSettings,
  own: Process,
  signal: AbortSignal,
): Promise<void> {
  const webhookSettings = webhookSettingsIn(options, process.env['POD_NAMESPACE']);
  if (!webhookSettings) {
    if (settings.guardRail && options.enableWebhook !== 'false') {
      throw new UserError(
        '--enable-guard-rail only applies with --webhook-url, --webhook-service or --enable-webhook.',
      );
    }
    return runControllers(client, options, settings, own, signal);
  }
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
  await runControllers(client, options, settings, own, signal).finally(() => webhooks.stop());
}

async function runControllers(
  client: Client,
  options: AttachOptions,
  settings: HubSettings,
  { metrics, pending, showPlacements }: Process,
  signal: AbortSignal,
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
  showPlacements(hub);
  const stopped = whenAborted(signal);
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
  await hub.stop();
}

function clientFor({ transport, impersonate }: Access): Client {
  return createClient(httpTransport(transport), { ...(impersonate && { impersonate }), userAgent: 'flotilla-hub' });
}

function accessOptionsOf({ kubeconfig, context, inCluster }: AttachOptions): AccessOptions {
  const { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
  return {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    // With --in-cluster, ignores KUBECONFIG and HOME: a pod may have kubeconfigs for other purposes.
    environment: inCluster === true ? { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } : process.env,
  };
}

function addressesOf(address: string | undefined): string[] {
  return address === undefined || address === '0' ? [] : [address];
}
