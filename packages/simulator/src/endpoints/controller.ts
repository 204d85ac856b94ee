import type { KubeObject, ObjectKey } from '@flotilla/kube';
import { itself, type Controller } from '@flotilla/runtime';
import { sliceManager } from '../endpoint-slices/service-slice.ts';
import { sliceIndex, slicesOf } from '../endpoint-slices/slice-object.ts';
import { kinds } from '../kinds.ts';
import { networkKinds } from '../network-kinds.ts';
import { concernsServices, hasSelectedEndpoints, podLabelIndex, selectedPods } from '../services/selection.ts';
import { decideEndpoints, type PodAddresses } from './decide-endpoints.ts';

/** Writes the Endpoints of Services with selectors. The server deletes them with their Service. */
export const endpointsController: Controller<PodAddresses> = {
  name: 'endpoint-controller',
  fieldManager: 'kube-controller-manager',
  workers: 5,
  wakes: hasSelectedEndpoints,
  watches: [
    { kind: networkKinds.service, concerns: itself },
    { kind: kinds.pod, concerns: concernsServices, indexes: podLabelIndex },
    { kind: networkKinds.endpoints, concerns: ifDeleted },
    { kind: networkKinds.endpointSlice, concerns: () => [], indexes: sliceIndex },
  ],
  observe: (key, cache) => {
    const service = cache.get(networkKinds.service, key);
    if (service === undefined || !hasSelectedEndpoints(service)) return undefined;
    return {
      service,
      pods: selectedPods(service, cache),
      slices: slicesOf(sliceManager, key, cache),
      endpoints: cache.get(networkKinds.endpoints, key),
    };
  },
  decide: decideEndpoints,
};

/** Like Kubernetes, restores Endpoints that were deleted, but lets changes by others stand until a pod changes. */
function ifDeleted(now: KubeObject | undefined, old: KubeObject | undefined): ObjectKey[] {
  return now === undefined ? itself(now, old) : [];
}
