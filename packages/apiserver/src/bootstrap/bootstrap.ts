import type { ApiServer } from '../server/server.ts';
import { ensureFlowObjects } from '../fairness/objects/ensure-flow-objects.ts';
import { ensureObject, type BootstrapObject } from '../own-requests/ensure-object.ts';
import { localApiServices } from './local-api-services.ts';
import { ensurePolicy } from './rbac/ensure-policy.ts';
import { kubernetesService, kubernetesServiceCidr } from './service-objects.ts';

/**
 * Creates the objects that every cluster has, with ordinary requests. Sends independent requests together, so that they share
 * a commit.
 */
export async function bootstrap(api: ApiServer, port: number): Promise<void> {
  const { handle, parts } = api;
  const now = parts.now();
  await Promise.all(standardNamespaces.map((namespace) => ensureObject(handle, namespace, now)));
  const objects = [
    ...systemPriorityClasses,
    ...localApiServices((group, version) => parts.registry.hasVersion(group, version)),
  ];
  await Promise.all([
    createOwn(api, port),
    ...objects.map((object) => ensureObject(handle, object, now)),
    ensureFlowObjects(handle, parts.store, now),
    ensurePolicy(handle, parts.store),
  ]);
  api.markStarted();
}

/** For a server that has stored prepared objects: creates those that depend on its options. */
export async function completePrepared(api: ApiServer, port: number): Promise<void> {
  await createOwn(api, port);
  api.markStarted();
}

async function createOwn({ handle, parts, serviceCidr }: ApiServer, port: number): Promise<void> {
  const objects = [kubernetesServiceCidr(serviceCidr), kubernetesService(port, serviceCidr)];
  await Promise.all(objects.map((object) => ensureObject(handle, object, parts.now())));
}

const standardNamespaces: readonly BootstrapObject[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(
  (name) => ({
    path: '/api/v1/namespaces',
    object: { kind: 'Namespace', apiVersion: 'v1', metadata: { name } },
  }),
);

/** For critical pods. */
const systemPriorityClasses: readonly BootstrapObject[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
];

function priorityClass(name: string, value: number, description: string): BootstrapObject {
  return {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { kind: 'PriorityClass', apiVersion: 'scheduling.k8s.io/v1', metadata: { name }, value, description },
  };
}
