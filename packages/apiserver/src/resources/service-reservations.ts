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
  /** The IPv4 range of cluster IPs. */
  readonly cidr: string;
}

/**
 * Allocates cluster IPs and node ports. The pool lives in memory and is filled from the stored Services when it is first
 * needed. Only accepted writes allocate from it, so it cannot leak.
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

  release(object: KubeObject): void {
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
