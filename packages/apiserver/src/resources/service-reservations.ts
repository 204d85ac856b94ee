import {
  claimsOf,
  defaultServiceNetwork,
  planServiceCreate,
  planServiceUpdate,
  serviceOf,
  ServiceNetwork,
} from '@flotilla/builtins';
import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from './object-bytes.ts';
import type { Reservation } from './resource.ts';
import type { Store } from '../store/store.ts';

interface ServiceReservationsOptions {
  readonly store: Store;
  readonly random: () => number;
  /** Where cluster IPs come from, an IPv4 range. */
  readonly cidr: string;
}

/**
 * Keeps cluster IPs and node ports in step with the stored Services. The pool lives in memory and is filled from the store
 * when it is first needed: only accepted writes take from it, so it cannot leak.
 */
export class ServiceReservations {
  readonly #options: ServiceReservationsOptions;
  #filled: ServiceNetwork | undefined;

  constructor(options: ServiceReservationsOptions) {
    this.#options = options;
  }

  reserve(object: KubeObject, old: KubeObject | undefined, dryRun: boolean): Reservation {
    const network = this.#network();
    const options = { network, random: this.#options.random, dryRun };
    const service = serviceOf(object);
    const plan = old ? planServiceUpdate(service, serviceOf(old), options) : planServiceCreate(service, options);
    network.take(plan.take);
    return { keep: () => network.release(plan.release), undo: () => network.release(plan.take) };
  }

  released(object: KubeObject): void {
    this.#network().release(claimsOf(serviceOf(object).spec));
  }

  #network(): ServiceNetwork {
    return (this.#filled ??= networkInUse(this.#options));
  }
}

function networkInUse({ store, cidr }: ServiceReservationsOptions): ServiceNetwork {
  const network = new ServiceNetwork({ ...defaultServiceNetwork, cidrs: [cidr] });
  for (const { bytes } of store.snapshot().range('services', ''))
    network.take(claimsOf(serviceOf(decodeStored(bytes)).spec));
  return network;
}
