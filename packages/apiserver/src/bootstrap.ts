import { type ApiHandler, type ApiRequest, type JsonObject } from '@flotilla/kube';
import { textOf } from './resources/object-bytes.ts';

/** What every cluster has from its first moment, made through the front door like anybody's objects. */
export async function bootstrap(handle: ApiHandler, port: number): Promise<void> {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    await ensure(handle, '/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
  }
  await ensure(handle, '/api/v1/namespaces/default/services', kubernetesService(port));
  for (const priorityClass of systemPriorityClasses) {
    await ensure(handle, '/apis/scheduling.k8s.io/v1/priorityclasses', priorityClass);
  }
}

/** Pods that a cluster cannot do without name these. */
const systemPriorityClasses = [
  systemPriorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  systemPriorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
];

function systemPriorityClass(name: string, value: number, description: string): JsonObject {
  return { kind: 'PriorityClass', apiVersion: 'scheduling.k8s.io/v1', metadata: { name }, value, description };
}

/** How pods would find the API server; clients look for it. */
function kubernetesService(port: number): JsonObject {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: '10.0.0.1',
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
    },
  };
}

async function ensure(handle: ApiHandler, path: string, object: JsonObject): Promise<void> {
  const { name } = object['metadata'] as { name: string };
  const found = await handle(requestOf('GET', `${path}/${name}`, undefined));
  if (found.status === 200) return;
  const { status, body } = await handle(requestOf('POST', path, object));
  if (status !== 201 && status !== 409) {
    throw new Error(`cannot create ${path}/${name}: ${body instanceof Uint8Array ? textOf(body) : status}`);
  }
}

const never = new AbortController().signal;

function requestOf(method: string, path: string, object: JsonObject | undefined): ApiRequest {
  return {
    method,
    path,
    query: '',
    headers: { 'user-agent': 'kube-apiserver', 'content-type': 'application/json' },
    user: { name: 'system:apiserver', groups: ['system:masters'] },
    body: () => Promise.resolve(object ? Buffer.from(JSON.stringify(object)) : new Uint8Array()),
    signal: never,
  };
}
