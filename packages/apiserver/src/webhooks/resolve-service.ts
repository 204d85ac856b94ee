import type { Store } from '../store/store.ts';
import { decodeStored } from '../resources/object-bytes.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The address of a service. Throws an Error whose message clients see. */
export type ResolveService = (service: ServiceReference) => { readonly host: string; readonly port: number };

interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly port: number }[];
  };
}

/** Uses the cluster IP of the stored Service, like kube-apiserver without `--enable-aggregator-routing`. */
export function resolveByClusterIp(store: Store): ResolveService {
  return ({ namespace, name, port }) => {
    const entry = store.get({ collection: 'services', name: `${namespace}/${name}` });
    if (!entry) throw new Error(`service ${JSON.stringify(name)} not found`);
    const { spec = {} } = decodeStored(entry.bytes) as unknown as Service;
    if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
    if (spec.clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
    if (!spec.ports?.some((candidate) => candidate.port === port)) {
      throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
    }
    return { host: spec.clusterIP ?? '', port };
  };
}
