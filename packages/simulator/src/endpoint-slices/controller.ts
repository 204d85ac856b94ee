import type { KubeObject, ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller } from '@flotilla/runtime';
import { kinds, type Node } from '../kinds.ts';
import { networkKinds } from '../network-kinds.ts';
import { concernsServices, hasSelectedEndpoints, podLabelIndex, selectedPods } from '../services/selection.ts';
import { decideSlices, type SelectedEndpoints } from './decide-slices.ts';
import { sliceManager } from './service-slice.ts';
import { concernsServiceOfSlice, sliceIndex, slicesOf } from './slice-object.ts';

/** Writes the EndpointSlices of Services with selectors. */
export const endpointSliceController: Controller<SelectedEndpoints> = {
  name: 'endpoint-slice-controller',
  fieldManager: 'kube-controller-manager',
  workers: 5,
  wakes: hasSelectedEndpoints,
  watches: [
    { kind: networkKinds.service, concerns: itself },
    { kind: kinds.pod, concerns: concernsServices, indexes: podLabelIndex },
    { kind: networkKinds.endpointSlice, concerns: concernsServiceOfSlice(sliceManager), indexes: sliceIndex },
    { kind: kinds.node, concerns: concernsServicesOfNode },
  ],
  observe: (key, cache) => {
    const service = cache.get(networkKinds.service, key);
    if (service === undefined || !hasSelectedEndpoints(service)) return undefined;
    const pods = selectedPods(service, cache);
    const names = new Set(pods.map(({ spec }) => spec?.nodeName ?? ''));
    const nodes = new Map<string, Readonly<Node>>();
    for (const name of names) {
      const node = cache.get(kinds.node, { name });
      if (node !== undefined) nodes.set(name, node);
    }
    return { service, pods, slices: slicesOf(sliceManager, key, cache), nodes };
  },
  decide: decideSlices,
};

/** A new node may be the one that pods already name. */
function concernsServicesOfNode(now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache): ObjectKey[] {
  if (now === undefined || old !== undefined) return [];
  const pods = cache.list(kinds.pod).filter(({ spec }) => spec?.nodeName === now.metadata.name);
  return pods.flatMap((pod) => concernsServices(pod, undefined, cache));
}
