import {
  claimsOf,
  defaultServiceNetwork,
  planServiceCreate,
  planServiceUpdate,
  serviceOf,
  ServiceNetwork,
} from '@flotilla/builtins';
import { decodeStored } from './object-bytes.ts';
import type { Resource } from './resource.ts';
import type { Store } from '../store/store.ts';

/**
 * Keeps cluster IPs and node ports in step with the stored Services. The pool lives in memory and is filled from the store
 * when it is first needed: only accepted writes take from it, so it cannot leak.
 */
export function serviceReservations({
  store,
  random,
  serviceCidr,
}: {
  readonly store: Store;
  readonly random: () => number;
  readonly serviceCidr: string;
}): Required<Pick<Resource, 'reserve' | 'released'>> {
  let filled: ServiceNetwork | undefined;
  const network = (): ServiceNetwork => (filled ??= networkInUse(store, serviceCidr));
  return {
    reserve(object, old, dryRun) {
      const options = { network: network(), random, dryRun };
      const service = serviceOf(object);
      const plan = old ? planServiceUpdate(service, serviceOf(old), options) : planServiceCreate(service, options);
      network().take(plan.take);
      return { keep: () => network().release(plan.release), undo: () => network().release(plan.take) };
    },
    released: (object) => network().release(claimsOf(serviceOf(object).spec)),
  };
}

function networkInUse(store: Store, cidr: string): ServiceNetwork {
  const network = new ServiceNetwork({ ...defaultServiceNetwork, cidrs: [cidr] });
  for (const { bytes } of store.snapshot().range('services', ''))
    network.take(claimsOf(serviceOf(decodeStored(bytes)).spec));
  return network;
}
