import { quote } from '@flotilla/kube';
import type { Store } from '../store/store.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { WebhookAddress } from './webhook-call.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The address of a service. Throws an Error whose message clients see. */
export type ResolveService = (service: ServiceReference) => WebhookAddress;

interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly port: number; readonly name?: string }[];
  };
}

interface EndpointSlice {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly ports?: readonly { readonly name?: string | null; readonly port?: number | null }[] | null;
  readonly endpoints?:
    | readonly { readonly addresses?: readonly string[]; readonly conditions?: { readonly ready?: boolean | null } }[]
    | null;
}

interface Endpoints {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

/**
 * Finds a ready endpoint of the stored Service in its EndpointSlices or Endpoints. A Service that has neither is reached by its
 * cluster IP, like in kube-apiserver without `--enable-aggregator-routing`. Nothing here routes cluster IPs, so endpoints
 * come first. `random` is in [0, 1).
 */
export function resolveInStore(store: Store, random: () => number): ResolveService {
  return ({ namespace, name, port }) => {
    const entry = store.get({ collection: 'services', name: `${namespace}/${name}` });
    if (!entry) throw new Error(`service ${quote(name)} not found`);
    const { spec = {} } = decodeStored(entry.bytes) as unknown as Service;
    if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
    const servicePort = spec.ports?.find((candidate) => candidate.port === port);
    const addresses = servicePort && readyAddresses(store, namespace, name, servicePort.name ?? '');
    const chosen = addresses?.[Math.floor(random() * addresses.length)];
    if (chosen) return chosen;
    if (addresses) throw new Error(`no endpoints available for service ${quote(name)}`);
    if (spec.clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
    if (!servicePort) throw new Error(`no service port ${port} found for service ${quote(name)}`);
    return { host: spec.clusterIP ?? '', port };
  };
}

/** Undefined if the service has neither EndpointSlices nor Endpoints. */
function readyAddresses(store: Store, namespace: string, name: string, port: string): WebhookAddress[] | undefined {
  const slices = slicesOf(store, namespace, name);
  if (slices.length > 0) return slices.flatMap((slice) => addressesOf(slice, port));
  const entry = store.get({ collection: 'endpoints', name: `${namespace}/${name}` });
  if (!entry) return undefined;
  const { subsets = [] } = decodeStored(entry.bytes) as unknown as Endpoints;
  return subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter((candidate) => (candidate.name ?? '') === port)
      .flatMap((found) => addresses.map(({ ip }) => ({ host: ip, port: found.port }))),
  );
}

const slicesCollection = 'endpointslices.discovery.k8s.io';

function slicesOf(store: Store, namespace: string, service: string): EndpointSlice[] {
  const slices: EndpointSlice[] = [];
  for (const { header, bytes } of store.snapshot().range(slicesCollection, `${namespace}/`)) {
    if (header.labels?.['kubernetes.io/service-name'] === service) slices.push(decodeStored(bytes));
  }
  return slices;
}

function addressesOf({ ports, endpoints }: EndpointSlice, port: string): WebhookAddress[] {
  const found = ports?.find((candidate) => (candidate.name ?? '') === port)?.port;
  if (found === undefined || found === null) return [];
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses = [] }) => addresses.slice(0, 1).map((host) => ({ host, port: found })));
}
