/** Runs `flotilla agent`. Loaded when the command runs. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { MetricsRegistry, type Logger } from '@flotilla/kube';
import { AppliedWorkMissing, startAgent, TokenRenewal, type RunningAgent } from '@flotilla/member';
import { systemClock, type Clock } from '@flotilla/timing';
import { explainAccessError } from '../explain-access-error.ts';
import { processLogger } from '../process-logger.ts';
import { replaceFile } from '../replace-file.ts';
import { print } from '../server-flags.ts';
import { stopSignal } from '../stop-signal.ts';
import { UserError } from '../user-error.ts';
import type { AgentFlags } from './agent-flags.ts';
import { addressesIn, logLevelIn, settingsIn } from './agent-settings.ts';
import { awaitServer } from './await-server.ts';
import { connectClusters, type Cluster, type Clusters } from './connect-clusters.ts';
import { loadProvider } from './load-provider.ts';
import { copyToken, storeToken, tokenSecretIn, type TokenSecret } from './token-secret.ts';

const clock = systemClock;
const random = Math.random;

/** Runs until SIGINT or SIGTERM. */
export async function runAgent(flags: AgentFlags): Promise<void> {
  const stopping = new AbortController();
  const stopped = stopSignal().then(() => stopping.abort());
  // While the hub is unreachable there is no socket, and unref'd timers do not keep the process alive.
  const keepAlive = setInterval(() => undefined, 2 ** 30);
  try {
    await runUntilStopped(flags, stopping.signal, stopped);
  } catch (error) {
    if (!stopping.signal.aborted) throw explainError(error);
  } finally {
    clearInterval(keepAlive);
  }
}

async function runUntilStopped(flags: AgentFlags, signal: AbortSignal, stopped: Promise<void>): Promise<void> {
  const settings = settingsIn(flags, `${hostname()}_${randomUUID()}`);
  const addresses = addressesIn(flags);
  const logger = processLogger(logLevelIn(flags));
  const metrics = new MetricsRegistry();
  const clusters = await connectClusters(flags, process.env);
  const tokenSecret = tokenSecretIn(flags, clusters.hub);
  if (flags.enablePprof === 'true') logger.warn('--enable-pprof has no effect, use node --cpu-prof');
  const servers = await serveStatus(addresses, metrics);
  try {
    const agent = await start(clusters, { flags, settings, tokenSecret, logger, metrics, signal });
    const renewal = renewToken(clusters, tokenSecret, logger);
    const cancel = printWhyNotJoined(clusters.name, agent, clock);
    await stopped;
    cancel();
    print('Stopping.');
    await Promise.all([agent.stop(), renewal?.stop()]);
  } finally {
    servers?.stop();
    await Promise.all([clusters.hub.client.close(), clusters.member.client.close()]);
  }
}

/** Undefined if the token comes from elsewhere: a pod's is renewed by its kubelet, KubeFleet's by `refresh-token`. */
function renewToken(
  { hub: { client, tokenFile }, member }: Clusters,
  secret: TokenSecret | undefined,
  logger: Logger,
): TokenRenewal | undefined {
  if (tokenFile === undefined) return undefined;
  const read = async (): Promise<string> => (await readFile(tokenFile, 'utf8')).trim();
  const write = (token: string): Promise<void> =>
    secret ? storeToken(member.client, secret, token) : replaceFile(tokenFile, token);
  const renewal = new TokenRenewal({ hub: client, read, write, clock, random, logger });
  renewal.start();
  return renewal;
}

/** Loads the HTTP server only if an address is set: most agents have none. */
async function serveStatus(addresses: ReturnType<typeof addressesIn>, metrics: MetricsRegistry) {
  if (addresses.health.length + addresses.metrics.length === 0) return undefined;
  const { startStatusServers } = await import('./status-servers.ts');
  return startStatusServers(addresses, metrics);
}

interface StartParts {
  readonly flags: AgentFlags;
  readonly settings: ReturnType<typeof settingsIn>;
  readonly tokenSecret: TokenSecret | undefined;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly signal: AbortSignal;
}

async function start({ name, hub, member }: Clusters, parts: StartParts): Promise<RunningAgent> {
  const { flags, settings, tokenSecret, logger, metrics, signal } = parts;
  const provider = await loadProvider(flags, await member.authority());
  const memberAnswers = awaitCluster('member', member, signal);
  const hasToken = tokenSecret && memberAnswers.then(() => copyToken(member.client, tokenSecret, signal));
  await Promise.all([hasToken, memberAnswers]);
  await awaitCluster('hub', hub, signal);
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
    reportsNamespaces: flags.enableNamespaceCollectionInPropertyProvider === 'true',
    installsDefinitions: installs === 'true',
    onMembership: (membership) => print(`${name} has ${membership === 'joined' ? 'joined' : 'left'} the fleet.`),
  });
}

async function awaitCluster(role: 'hub' | 'member', cluster: Cluster, signal: AbortSignal): Promise<void> {
  const onFailure = (reason: string): void => print(`Waiting for the ${role} at ${cluster.url}: ${reason}.`);
  const version = await awaitServer(cluster, { clock, random, signal, onFailure });
  print(`Connected to the ${role} at ${cluster.url} (${version}).`);
}

function explainError(error: unknown): unknown {
  if (!(error instanceof AppliedWorkMissing)) return explainAccessError(error);
  return new UserError(`${error.message}; install it there, or use --install-definitions.`, { cause: error });
}

/** A hub that expects the member responds sooner. */
const joinDelayMs = 5000;

/** Prints once, after a delay, why the member has not joined. The returned function cancels that. */
function printWhyNotJoined(name: string, agent: RunningAgent, clock: Clock): () => void {
  const cancel = clock.after(joinDelayMs, () => {
    if (agent.membership() === undefined) print(reasonNotJoined(name, agent));
  });
  void agent.ready.then(cancel);
  return cancel;
}

function reasonNotJoined(name: string, agent: RunningAgent): string {
  if (!agent.isActive()) return 'Waiting to become leader: another replica holds the lease.';
  const reason = agent.failure() ?? `it needs a MemberCluster ${name}`;
  return `Waiting for the hub to ask ${name} to join: ${reason}.`;
}
