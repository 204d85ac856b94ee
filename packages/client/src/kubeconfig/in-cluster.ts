import { access, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { ClusterEntry, UserEntry } from './kubeconfig.ts';
import type { Environment } from './load-kubeconfig.ts';

/** Where a kubelet puts what a pod needs to speak to its cluster. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InCluster {
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  readonly namespace: string;
}

/** What a pod knows about the cluster that it runs in; undefined outside of one. */
export async function inCluster(environment: Environment, directory: string): Promise<InCluster | undefined> {
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
