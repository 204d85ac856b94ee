/** Which pods a Service selects, and which Services a change of a pod concerns. */
import { jsonEquals, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Cache, Indexes } from '@flotilla/runtime';
import { kinds, type Pod } from '../kinds.ts';
import { networkKinds, type Service } from '../network-kinds.ts';
import { isFinished, isReady } from '../pods/pod-state.ts';

const indexName = 'label-pair';

/** Finds pods by namespace and one label. */
export const podLabelIndex: Indexes = {
  [indexName]: ({ metadata: { namespace, labels } }) =>
    Object.entries(labels ?? {}).map((label) => indexValue(namespace, label)),
};

function indexValue(namespace = '', [key, value]: readonly [string, string]): string {
  return `${namespace}/${key}=${value}`;
}

/** Whether the endpoints of a Service follow its pods. Others get theirs from users, or have none. */
export function hasSelectedEndpoints({ spec = {} }: Readonly<Service>): boolean {
  return spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0;
}

/** The watch on pods needs `podLabelIndex`. */
export function selectedPods(service: Readonly<Service>, cache: Cache): readonly Readonly<Pod>[] {
  const [first] = Object.entries(service.spec?.selector ?? {});
  if (first === undefined) return [];
  const candidates = cache.indexed(kinds.pod, indexName, indexValue(service.metadata.namespace, first));
  return candidates.filter(({ metadata }) => selects(service, metadata.labels));
}

function selects({ spec = {} }: Readonly<Service>, labels: Readonly<Record<string, string>> = {}): boolean {
  const selector = Object.entries(spec.selector ?? {});
  return selector.length > 0 && selector.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** For `concerns` of pods: the Services that select the pod, or did. */
export function concernsServices(now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache): ObjectKey[] {
  if (now !== undefined && old !== undefined && !changesEndpoints(now, old)) return [];
  const namespace = (now ?? old)?.metadata.namespace;
  return cache
    .list(networkKinds.service, { namespace })
    .filter((service) => selects(service, now?.metadata.labels) || selects(service, old?.metadata.labels))
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** Most changes of a pod do not. */
function changesEndpoints(now: Readonly<Pod>, old: Readonly<Pod>): boolean {
  return (
    isReady(now) !== isReady(old) ||
    isFinished(now) !== isFinished(old) ||
    now.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    now.spec?.nodeName !== old.spec?.nodeName ||
    !jsonEquals(now.status?.podIPs ?? [], old.status?.podIPs ?? []) ||
    !jsonEquals(now.metadata.labels ?? {}, old.metadata.labels ?? {})
  );
}
