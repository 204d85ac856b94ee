/** How many pods the controllers of some pods want, together. */
import { apiVersionOf, type Kind, type KubeObject, type OwnerReference } from '@flotilla/kube';
import type { Cache } from '@flotilla/runtime';
import { kinds, type Pod } from '../kinds.ts';
import { controllerOf } from '../ownership/controller-of.ts';

export type ExpectedScale =
  | { readonly count: number; /** Pods without a controller. */ readonly unmanaged: readonly string[] }
  | { readonly failure: string };

interface Scaled extends KubeObject {
  spec?: { replicas?: number };
}

/** The kinds whose objects have a scale. */
export const scaledKinds: readonly Kind<Scaled>[] = [
  kinds.replicationController,
  kinds.replicaSet,
  kinds.deployment,
  kinds.statefulSet,
];

/** Kinds of Kubernetes that control pods but have no scale, as errors name them. */
const unscaled: ReadonlyMap<string, string> = new Map([
  ['apps/v1/DaemonSet', 'daemonsets.apps'],
  ['batch/v1/Job', 'jobs.batch'],
]);

export function expectedScaleOf(pods: readonly Readonly<Pod>[], cache: Cache): ExpectedScale {
  const replicas = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const { name = '', namespace } = pod.metadata;
    const reference = controllerOf(pod);
    if (reference === undefined) {
      unmanaged.push(name);
      continue;
    }
    if (replicas.has(reference.uid)) continue;
    const controller = scaledController(reference, namespace, cache);
    if (typeof controller === 'string') return { failure: controller };
    if (controller === undefined) return { failure: `found no controllers for pod "${name}"` };
    replicas.set(controller.metadata.uid ?? '', controller.spec?.replicas ?? 1);
  }
  return { count: [...replicas.values()].reduce((sum, count) => sum + count, 0), unmanaged };
}

/** A ReplicaSet of a Deployment counts as the Deployment. Undefined if it is gone; a text if it has no scale. */
function scaledController(
  reference: OwnerReference,
  namespace: string | undefined,
  cache: Cache,
): Readonly<Scaled> | string | undefined {
  const { apiVersion, kind: kindName, name } = reference;
  const kind = scaledKinds.find((one) => one.kind === kindName && apiVersionOf(one) === apiVersion);
  if (kind === undefined) {
    const resource = unscaled.get(`${apiVersion}/${kindName}`);
    return resource === undefined
      ? `no matches for kind "${kindName}" in version "${apiVersion}"`
      : `${resource} does not implement the scale subresource`;
  }
  const controller = cache.get(kind, { namespace, name });
  if (controller?.metadata.uid !== reference.uid) return undefined;
  const owner = kind === kinds.replicaSet && controller !== undefined ? controllerOf(controller) : undefined;
  return owner?.kind === kinds.deployment.kind ? scaledController(owner, namespace, cache) : controller;
}
