import { nameIsDnsSubdomain, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { indexByLabel, type Cache } from '@flotilla/runtime';
import { networkKinds, type EndpointPort, type EndpointSlice } from '../network-kinds.ts';
import { controllerReference } from '../ownership/controller-of.ts';

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** Which controller manages a slice: that of Services with selectors, or that of Endpoints without. */
export type SliceManager = 'endpointslice-controller.k8s.io' | 'endpointslicemirroring-controller.k8s.io';

/** A slice without a name. */
export function newSlice(
  kind: Kind,
  owner: Readonly<KubeObject>,
  content: { labels: Record<string, string>; addressType: string; ports: readonly EndpointPort[] },
): EndpointSlice {
  const { labels, addressType, ports } = content;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: slicePrefix(owner.metadata.name ?? ''),
      namespace: owner.metadata.namespace ?? '',
      labels,
      ownerReferences: [controllerReference(kind, owner)],
    },
    addressType,
    endpoints: [],
    ports: [...ports],
  };
}

/** A dash follows the owner's name, if slices may be named so. */
function slicePrefix(ownerName: string): string {
  const prefix = `${ownerName}-`;
  return nameIsDnsSubdomain(prefix, true).length === 0 ? prefix : ownerName;
}

/** For the watch on slices. */
export const sliceIndex = indexByLabel(serviceNameLabel);

/** The slices of a Service that this controller manages. The watch on them needs `sliceIndex`. */
export function slicesOf(manager: SliceManager, key: ObjectKey, cache: Cache): readonly Readonly<EndpointSlice>[] {
  const labels = { [serviceNameLabel]: key.name, [managedByLabel]: manager };
  const slices = cache.list(networkKinds.endpointSlice, { namespace: key.namespace, labels });
  return slices.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** For `concerns` of slices: the Services that the slice names or named, if this controller manages it or did. */
export function concernsServiceOfSlice(
  manager: SliceManager,
): (now: KubeObject | undefined, old: KubeObject | undefined) => ObjectKey[] {
  const keyOf = (slice: KubeObject | undefined): ObjectKey[] => {
    const { [serviceNameLabel]: name = '', [managedByLabel]: managedBy } = slice?.metadata.labels ?? {};
    return managedBy === manager && name !== '' ? [{ namespace: slice?.metadata.namespace, name }] : [];
  };
  return (now, old) => [...keyOf(now), ...keyOf(old)];
}
