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
import type { PreparedPart, ReadPrepared } from './prepared/prepared-files.ts';
import { serve, type Serving, type ServingOptions } from './serve.ts';
import { ServerCredentials } from './server-credentials.ts';

export interface StartServerOptions extends ServingOptions {
  /** Store nothing on disk. Overrides `dataDirectory`. */
  readonly memory?: boolean;
  /** Create the database, or the keys, if the directory has only the other. */
  readonly isNew?: boolean;
  /** The storage, if it is open already. The server closes it, even if it cannot start. */
  readonly storage?: OpenStorage;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly logger?: Logger;
  /**
   * The worker for heavy requests, with the plugins of `server.admission`. If it lacks one, heavy requests run in the main
   * thread.
   */
  readonly heavy?: HeavyThreadOptions;
  /** Reads objects of a new server. Default: those beside the bundle. */
  readonly prepared?: ReadPrepared;
  /** Objects that a new server has beside those of every server, if they are prepared. */
  readonly addedPart?: PreparedPart;
  /** Housekeeping of a new server that got `addedPart` starts after this. It must resolve before the server is stopped. */
  readonly housekeepingAfter?: Promise<unknown>;
  /** The controllers of embedded servers that have run before start after this, unless an object of theirs changes first. */
  readonly embeddedAfter?: Promise<unknown>;
  /** Without housekeeping, for callers with controllers of their own. */
  readonly bare?: boolean;
  /** Certificates in files instead of the server's own, read again while it runs. */
  readonly servingFiles?: ServingFiles;
  /** Called when the administrator has a new certificate. The old one stays valid for months. */
  readonly accessRenewed?: (access: Kubeconfig) => void;
  /** Called if certificates cannot be renewed or read again. The server keeps those it has. */
  readonly rotationFailed?: (error: unknown) => void;
  /** Serve the event loop's delay to administrators. For `bench/`. */
  readonly reportLoopDelay?: boolean;
  /** Further paths, guarded by RBAC. A key with a slash at the end stands for all paths below it. */
  readonly paths?: ReadonlyMap<string, PathHandler>;
}

export interface RunningServer extends Serving {
  /** The administrator's access: entries for a kubeconfig, and a whole one as text. */
  readonly access: Kubeconfig;
  readonly kubeconfig: string;
  readonly credentials: CredentialSet;
  /** Copies the present objects to a new file. */
  readonly backup: (file: string) => Promise<void>;
}

/** Starts an API server with housekeeping on its own port. `flotilla apiserver`, the tests and `bench/` all use it. */
export async function startServer(options: StartServerOptions = {}): Promise<RunningServer> {
  const { host, port, clock = systemClock, logger = silentLogger } = options;
  const directory = directoryOf(options);
  const { plan, observed } = options.storage ?? (await openStorage(options));
  const { engine } = observed;
  const rotationFailed = options.rotationFailed ?? (() => undefined);
  try {
    let url = '';
    const credentials = new ServerCredentials({
      directory,
      plan,
      hosts: hostsOf(host),
      clock,
      files: options.servingFiles ?? {},
      adminRenewed: () => options.accessRenewed?.(accessOf(url, credentials, identity.authority)),
      cannotRenew: rotationFailed,
    });
    const identity = await credentials.load();
    const serving = await serve({
      observed,
      dataDirectory: directory,
      clock,
      random: options.random,
      logger,
      host,
      port,
      isBare: options.bare === true,
      prepared: options.prepared,
      addedPart: options.addedPart,
      housekeepingAfter: options.housekeepingAfter,
      embeddedAfter: options.embeddedAfter,
      identity,
      loadIdentity: () => credentials.load(),
      signCertificate: (wanted) => credentials.sign(wanted),
      rotationFailed,
      server: withOwnKeys(options.server, credentials.current),
      embeddedSecret: credentials.current.tokenKey,
      embedsInMemory: options.embedsInMemory,
      heavy: options.heavy,
      adminPaths: adminPathsOf(options, engine),
    });
    await Promise.all([credentials.finish(), engine.loaded]).catch(async (error: unknown) => {
      await serving.stop();
      throw error;
    });
    url = serving.url;
    const access = accessOf(url, credentials, identity.authority);
    return {
      ...serving,
      credentials: credentials.current,
      access,
      kubeconfig: kubeconfigText(access),
      backup: (file) => engine.backup(file),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** The storage of a server that has not started. */
export interface OpenStorage {
  /** Whether to create keys or to use existing ones. */
  readonly plan: 'make' | 'finish' | 'use';
  readonly observed: ObservedEngine;
}

/** For callers that read objects before the server starts. If the database or the keys are missing, throws before it creates anything. */
export async function openStorage(options: StartServerOptions): Promise<OpenStorage> {
  const { clock = systemClock, logger = silentLogger } = options;
  const isNew = options.isNew === true;
  const directory = directoryOf(options);
  if (directory === undefined) return { plan: 'make', observed: await observedEngine({ directory, clock, logger }) };
  const keys = await findKeys(directory);
  if (!hasDatabase(directory)) planKeys(directory, { keys, hasData: false, isNew });
  const observed = await observedEngine({ directory, clock, logger, firstStore: 'hub' });
  try {
    // A store exists once it has an object.
    const hasData = [...observed.engine.names()].length > 0;
    if (!hasData && observed.isDiskFull())
      throw new UnusableDirectory(`the disk of ${directory} is full; free some space`);
    return { plan: planKeys(directory, { keys: await findKeys(directory), hasData, isNew }), observed };
  } catch (error) {
    await observed.engine.close();
    throw error;
  }
}

function accessOf(url: string, { current }: ServerCredentials, authority: string): Kubeconfig {
  const server = { ...current.server, authority };
  return kubeconfigFor('flotilla', url, { ...current, server });
}

/** Adds the administrator's token to the given ones, and the server's own signing key unless one is given. */
function withOwnKeys(server: ServerOptions = {}, { token, tokenKey }: CredentialSet): ServerOptions {
  return {
    ...server,
    staticTokens: [{ token, user: administrator }, ...(server.staticTokens ?? [])],
    serviceAccountTokens: { signingKey: tokenKey, ...server.serviceAccountTokens },
  };
}

/** Undefined in memory. */
function directoryOf({ memory, dataDirectory }: StartServerOptions): string | undefined {
  return memory === true ? undefined : dataDirectory;
}

/** Paths of our own, beside those of Kubernetes. */
function adminPathsOf(options: StartServerOptions, engine: StorageEngine): ReadonlyMap<string, PathHandler> {
  const paths = new Map<string, PathHandler>(options.paths);
  if (options.reportLoopDelay === true) paths.set(loopDelayPath, loopDelayHandler());
  const directory = directoryOf(options);
  if (directory !== undefined) paths.set(backupPath, backupHandler(engine, directory));
  return paths;
}

/** The names and addresses of the server's certificate. */
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
