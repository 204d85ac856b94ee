import { itself, type Controller } from '@flotilla/runtime';
import { networkKinds } from '../network-kinds.ts';
import { decideMirror, mayBeMirrored, mirroringManager, type MirroredEndpoints } from './mirror.ts';
import { concernsServiceOfSlice, sliceIndex, slicesOf } from './slice-object.ts';

/** Copies Endpoints of Services without selector to EndpointSlices. */
export const endpointSliceMirroringController: Controller<MirroredEndpoints> = {
  name: 'endpoint-slice-mirroring-controller',
  fieldManager: 'kube-controller-manager',
  workers: 5,
  wakes: mayBeMirrored,
  watches: [
    { kind: networkKinds.endpoints, concerns: itself },
    { kind: networkKinds.service, concerns: itself },
    { kind: networkKinds.endpointSlice, concerns: concernsServiceOfSlice(mirroringManager), indexes: sliceIndex },
  ],
  observe: (key, cache) => ({
    endpoints: cache.get(networkKinds.endpoints, key),
    service: cache.get(networkKinds.service, key),
    slices: slicesOf(mirroringManager, key, cache),
  }),
  decide: decideMirror,
};
