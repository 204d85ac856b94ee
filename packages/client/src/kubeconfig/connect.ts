import { access, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { serviceAccountDirectory } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import type { Client, Impersonation } from '../client.ts';
import { createClient, type ClientOptions } from '../create-client.ts';
import { httpTransport, type HttpTransportOptions } from '../http/http-transport.ts';
import { selectContext } from './select-context.ts';
import { environmentProxy } from './environment-proxy.ts';
import { KubeconfigError, type ClusterEntry, type UserEntry } from './kubeconfig.ts';
import { loadKubeconfig, type Environment } from './load-kubeconfig.ts';
import { userCredentials } from './user-credentials.ts';

export interface AccessOptions {
  /** A file to read instead of those that the environment names. */
  readonly kubeconfig?: string;
  /** Absent: the current context. */
  readonly context?: string;
  /** `process.env`, or the part of it that should count. */
  readonly environment: Environment;
  readonly clock?: ClientOptions['clock'];
  /** The directory with a pod's token. */
  readonly serviceAccountDirectory?: string;
}

/** How to reach a server, and the default namespace there. */
export interface Access {
  readonly transport: HttpTransportOptions;
  readonly namespace: string;
  readonly impersonate?: Impersonation;
  /** The file that the token is read from, again and again. */
  readonly tokenFile?: string;
  /** Absent inside a cluster. */
  readonly context?: string;
}

export type ConnectOptions = AccessOptions & ClientOptions;

/** Creates a client for the server that kubectl would use. Sends nothing before the first request. */
export async function connect(options: ConnectOptions): Promise<Client> {
  const { transport, impersonate } = await findAccess(options);
  return createClient(httpTransport(transport), { ...(impersonate && { impersonate }), ...options });
}

/** Looks for a kubeconfig as kubectl does, then for the in-cluster configuration. Throws a KubeconfigError. */
export async function findAccess(options: AccessOptions): Promise<Access> {
  const { environment, context } = options;
  const kubeconfig = await loadKubeconfig(options.kubeconfig, environment);
  if (kubeconfig !== undefined) {
    const { name, namespace, cluster, user } = selectContext(kubeconfig, context);
    return { ...accessTo(cluster, user, options), namespace, context: name };
  }
  const pod = await inCluster(environment, options.serviceAccountDirectory ?? serviceAccountDirectory);
  if (pod !== undefined) return { ...accessTo(pod.cluster, pod.user, options), namespace: pod.namespace };
  throw new KubeconfigError('found no kubeconfig: set KUBECONFIG, create ~/.kube/config, or run in a pod');
}

function accessTo(cluster: ClusterEntry, user: UserEntry, options: AccessOptions): Omit<Access, 'namespace'> {
  const { environment, clock = systemClock } = options;
  const { server, serverName, skipsVerification, disablesCompression } = cluster;
  const proxy = cluster.proxy ?? environmentProxy(new URL(server), environment);
  return {
    transport: {
      server,
      credentials: userCredentials(cluster, user, { clock, environment }),
      skipsVerification,
      clock,
      ...(disablesCompression && { compression: false }),
      ...(serverName !== undefined && { serverName }),
      ...(proxy !== undefined && { proxy }),
    },
    ...(user.impersonate && { impersonate: user.impersonate }),
    ...(user.tokenFile !== undefined && { tokenFile: user.tokenFile }),
  };
}

/** The directory where a kubelet mounts a pod's credentials. */

interface InCluster {
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  readonly namespace: string;
}

/** The in-cluster configuration; undefined outside a pod. */
async function inCluster(environment: Environment, directory: string): Promise<InCluster | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) return undefined;
  const tokenFile = join(directory, 'token');
  await access(tokenFile).catch((error: unknown) => {
    throw new KubeconfigError(`this pod has no service account token: ${tokenFile} cannot be read`, { cause: error });
  });
  const authority = join(directory, 'ca.crt');
  const namespace = await readFile(join(directory, 'namespace'), 'utf8').catch(() => '');
  return {
    cluster: {
      server: `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
      skipsVerification: false,
      disablesCompression: false,
      ...((await exists(authority)) && { authority: { file: authority } }),
    },
    user: { tokenFile },
    namespace: namespace.trim() || 'default',
  };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
