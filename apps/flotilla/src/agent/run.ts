/** `flotilla agent` at work; loaded when it runs. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { MetricsRegistry, type Logger } from '@flotilla/kube';
import { AppliedWorkMissing, startAgent, type RunningAgent } from '@flotilla/member';
import { systemClock } from '@flotilla/timing';
import { explainedAccess } from '../explain-access-error.ts';
import { processLogger } from '../process-logger.ts';
import { say } from '../server-flags.ts';
import { stopSignal } from '../stop-signal.ts';
import { UserFault } from '../user-error.ts';
import type { AgentFlags } from './agent-flags.ts';
import { addressesIn, logLevelIn, settingsIn } from './agent-settings.ts';
import { awaitServer } from './await-server.ts';
import { connectClusters, type Cluster, type Clusters } from './connect-clusters.ts';
import { loadProvider } from './load-provider.ts';
import { sayWhyItWaits } from './say-why-it-waits.ts';

const clock = systemClock;
const random = Math.random;

/** Runs until the process is asked to stop. */
export async function runAgent(flags: AgentFlags): Promise<void> {
  const stopping = new AbortController();
  const stopped = stopSignal().then(() => stopping.abort());
  // A hub that is gone leaves no socket, and timers of ours keep no process alive.
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    await work(flags, stopping.signal, stopped);
  } catch (error) {
    if (!stopping.signal.aborted) throw explained(error);
  } finally {
    clearInterval(alive);
  }
}

async function work(flags: AgentFlags, signal: AbortSignal, stopped: Promise<void>): Promise<void> {
  const settings = settingsIn(flags, `${hostname()}_${randomUUID()}`);
  const addresses = addressesIn(flags);
  const logger = processLogger(logLevelIn(flags));
  const metrics = new MetricsRegistry();
  const clusters = await connectClusters(flags, process.env);
  if (flags.enablePprof === 'true') logger.warn('--enable-pprof changes nothing: node --cpu-prof profiles this agent');
  const servers = await serveStatus(addresses, metrics);
  try {
    const agent = await start(clusters, { flags, settings, logger, metrics, signal });
    const silence = sayWhyItWaits(clusters.name, agent, clock);
    await stopped;
    silence();
    say('Stopping.');
    await agent.stop();
  } finally {
    servers?.stop();
    await Promise.all([clusters.hub.client.close(), clusters.member.client.close()]);
  }
}

/** Most agents serve nothing, and load nothing for it. */
async function serveStatus(addresses: ReturnType<typeof addressesIn>, metrics: MetricsRegistry) {
  if (addresses.health.length + addresses.metrics.length === 0) return undefined;
  const { startStatusServers } = await import('./status-servers.ts');
  return startStatusServers(addresses, metrics);
}

interface Start {
  readonly flags: AgentFlags;
  readonly settings: ReturnType<typeof settingsIn>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly signal: AbortSignal;
}

async function start({ name, hub, member }: Clusters, parts: Start): Promise<RunningAgent> {
  const { flags, settings, logger, metrics, signal } = parts;
  const provider = await loadProvider(flags, await member.authority());
  await Promise.all([found('hub', hub, signal), found('member', member, signal)]);
  const installs = flags.installDefinitions ?? (flags.name === undefined ? 'false' : 'true');
  return startAgent({
    ...settings,
    name,
    hub: hub.client,
    member: member.client,
    clock,
    random,
    logger,
    metrics,
    signal,
    provider,
    installsDefinitions: installs === 'true',
    onMembership: (membership) => say(`${name} has ${membership === 'joined' ? 'joined' : 'left'} the fleet.`),
  });
}

async function found(side: 'hub' | 'member', cluster: Cluster, signal: AbortSignal): Promise<void> {
  const onTrouble = (reason: string): void => say(`Waiting for the ${side} at ${cluster.url}: ${reason}.`);
  const version = await awaitServer(cluster, { clock, random, signal, onTrouble });
  say(`The ${side} is ${cluster.url}, ${version}.`);
}

function explained(error: unknown): unknown {
  if (!(error instanceof AppliedWorkMissing)) return explainedAccess(error);
  return new UserFault(`${error.message}; install it there, or use --install-definitions.`, { cause: error });
}
