import {
  backupHandler,
  backupPath,
  findKeys,
  hasDatabase,
  loopDelayHandler,
  loopDelayPath,
  planKeys,
  UnusableDirectory,
  type HeavyThreadOptions,
  type CredentialSet,
  type PathHandler,
  type ServerOptions,
  type ServingFiles,
  type StorageEngine,
} from '@flotilla/apiserver';
import { administrator, silentLogger, type Logger } from '@flotilla/kube';
import { systemClock, type Clock } from '@flotilla/timing';
import { observedEngine, type ObservedEngine } from './observed-engine.ts';
import { kubeconfigFor, kubeconfigText, type Kubeconfig } from './kubeconfig.ts';
import { serve, type Serving, type ServingOptions } from './serve.ts';
import { ServerCredentials } from './server-credentials.ts';

export interface StartServerOptions extends ServingOptions {
  /** Keep nothing, whatever `dataDirectory` says. */
  readonly memory?: boolean;
  /** Keys without data, or data without keys, are meant: the missing half starts empty. */
  readonly isNew?: boolean;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly logger?: Logger;
  /** The program for heavy requests that has the steps of `server.admission` too. Where it lacks one, heavy requests run in the main thread. */
  readonly heavy?: HeavyThreadOptions;
  /** Without housekeeping, for those who bring controllers of their own. */
  readonly bare?: boolean;
  /** Certificates that somebody else makes, in place of our own. They are read again while the server runs. */
  readonly servingFiles?: ServingFiles;
  /** The administrator has a new certificate; the one before stays good for months. */
  readonly accessRenewed?: (access: Kubeconfig) => void;
  /** Certificates could not be renewed or read again; the server goes on with those it has. */
  readonly rotationFailed?: (error: unknown) => void;
  /** Measure the event loop and serve the figures to administrators; for `bench/`. */
  readonly reportLoopDelay?: boolean;
}

/** A running API server. */
export interface RunningServer extends Serving {
  /** How to reach it as administrator: entries for a kubeconfig, and a whole one as text. */
  readonly access: Kubeconfig;
  readonly kubeconfig: string;
  readonly credentials: CredentialSet;
  /** Copies all that is stored now into a new file. */
  readonly backup: (file: string) => Promise<void>;
}

/** The API server with its housekeeping, on its own port. `flotilla apiserver`, the tests and `bench/` all start it here. */
export async function startServer(options: StartServerOptions = {}): Promise<RunningServer> {
  const { host, port, clock = systemClock, logger = silentLogger } = options;
  const directory = directoryOf(options);
  const { plan, observed } = await openDirectory(directory, options.isNew === true, { clock, logger });
  const { engine } = observed;
  const rotationFailed = options.rotationFailed ?? (() => undefined);
  try {
    let url = '';
    const secrets = new ServerCredentials({
      directory,
      plan,
      hosts: hostsOf(host),
      clock,
      files: options.servingFiles ?? {},
      adminRenewed: () => options.accessRenewed?.(accessOf(url, secrets, identity.authority)),
      cannotRenew: rotationFailed,
    });
    const identity = await secrets.look();
    const serving = await serve({
      observed,
      dataDirectory: directory,
      clock,
      random: options.random,
      logger,
      host,
      port,
      isBare: options.bare === true,
      identity,
      lookForIdentity: () => secrets.look(),
      rotationFailed,
      server: withOwnKeys(options.server, secrets.current),
      embeddedSecret: secrets.current.tokenKey,
      heavy: options.heavy,
      adminPaths: adminPathsOf(options, engine),
    });
    await secrets.finish().catch(async (error: unknown) => {
      await serving.stop();
      throw error;
    });
    url = serving.url;
    const access = accessOf(url, secrets, identity.authority);
    return {
      ...serving,
      credentials: secrets.current,
      access,
      kubeconfig: kubeconfigText(access),
      backup: (file) => engine.backup(file),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens the storage, and decides whose keys the server has. Throws before it makes anything where it should not. */
async function openDirectory(
  directory: string | undefined,
  isNew: boolean,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<{ plan: 'make' | 'finish' | 'use'; observed: ObservedEngine }> {
  if (directory === undefined) return { plan: 'make', observed: await observedEngine({ directory, clock, logger }) };
  const keys = await findKeys(directory);
  if (!hasDatabase(directory)) planKeys(directory, { keys, hasData: false, isNew });
  const observed = await observedEngine({ directory, clock, logger });
  try {
    // A store is in the file with its first object.
    const hasData = [...observed.engine.names()].length > 0;
    if (!hasData && observed.isDiskFull())
      throw new UnusableDirectory(`the disk of ${directory} is full; free some space`);
    return { plan: planKeys(directory, { keys: await findKeys(directory), hasData, isNew }), observed };
  } catch (error) {
    await observed.engine.close();
    throw error;
  }
}

/** Our own administrator's way in. */
function accessOf(url: string, { current }: ServerCredentials, authority: string): Kubeconfig {
  const server = { ...current.server, authority };
  return kubeconfigFor('flotilla', url, { ...current, server });
}

/** Beside the tokens that are given, the server knows its administrator's, and signs with a key of its own. */
function withOwnKeys(server: ServerOptions = {}, { token, tokenKey }: CredentialSet): ServerOptions {
  return {
    ...server,
    staticTokens: [{ token, user: administrator }, ...(server.staticTokens ?? [])],
    serviceAccountTokens: { signingKey: tokenKey, ...server.serviceAccountTokens },
  };
}

/** Undefined where nothing is kept. */
function directoryOf({ memory, dataDirectory }: StartServerOptions): string | undefined {
  return memory === true ? undefined : dataDirectory;
}

/** What we serve beside Kubernetes' own paths. */
function adminPathsOf(options: StartServerOptions, engine: StorageEngine): ReadonlyMap<string, PathHandler> {
  const paths = new Map<string, PathHandler>();
  if (options.reportLoopDelay === true) paths.set(loopDelayPath, loopDelayHandler());
  const directory = directoryOf(options);
  if (directory !== undefined) paths.set(backupPath, backupHandler(engine, directory));
  return paths;
}

/** Names that the server's certificate is good for. */
function hostsOf(host: string | undefined): string[] {
  const always = [
    'localhost',
    '127.0.0.1',
    '::1',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    '10.0.0.1',
  ];
  const isAny = host === undefined || host === '0.0.0.0' || host === '::';
  return isAny || always.includes(host) ? always : [...always, host];
}
