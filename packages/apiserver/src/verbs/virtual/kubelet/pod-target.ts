import type { PodFields } from '@flotilla/builtins';
import { apiErrors, type KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../../resources/object-bytes.ts';
import type { Call } from '../../../call/call.ts';

export function podNamed({ server, info }: Call, name: string): PodFields {
  const entry = server.store.get({ collection: 'pods', name: `${info.namespace}/${name}` });
  if (!entry) throw apiErrors.notFound({ resource: 'pods', group: '' }, name);
  return decodeStored(entry.bytes) as PodFields;
}

/** The requested container, or the only one. */
export function containerOf({ metadata, spec }: PodFields, requested: string): string {
  const { name } = metadata;
  const inits = (spec.initContainers ?? []).map((container) => container.name);
  const plain = (spec.containers ?? []).map((container) => container.name);
  const ephemeral = ((spec['ephemeralContainers'] ?? []) as { name: string }[]).map((container) => container.name);
  if (requested !== '') {
    if ([...inits, ...plain, ...ephemeral].includes(requested)) return requested;
    throw apiErrors.badRequest(`container ${requested} is not valid for pod ${name}`);
  }
  const [only] = plain;
  if (only !== undefined && plain.length === 1) return only;
  const choices = [...inits, ...plain].join(' ');
  const debuggers = ephemeral.length > 0 ? ` or one of the ephemeral containers: [${ephemeral.join(' ')}]` : '';
  throw apiErrors.badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${choices}]${debuggers}`,
  );
}

interface NodeFields extends KubeObject {
  status?: {
    addresses?: { type: string; address: string }[];
    daemonEndpoints?: { kubeletEndpoint?: { Port: number } };
  };
}

interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

const preferredAddressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const defaultKubeletPort = 10_250;

/** The address of a node's kubelet. `kind` is the resource that Kubernetes names if the node is missing. */
export function kubeletOf({ server }: Call, node: string, kind: 'pods' | 'nodes'): KubeletAddress {
  const entry = server.store.get({ collection: 'nodes', name: node });
  if (!entry) throw apiErrors.notFound({ resource: kind, group: '' }, node);
  const { status = {} } = decodeStored(entry.bytes) as NodeFields;
  const addresses = status.addresses ?? [];
  const chosen = preferredAddressTypes
    .map((type) => addresses.find((address) => address.type === type))
    .find((found) => found);
  if (!chosen) throw apiErrors.unknown('no preferred addresses found; known addresses: []');
  return { host: chosen.address, port: status.daemonEndpoints?.kubeletEndpoint?.Port || defaultKubeletPort };
}

/** Go's error for a refused connection. The server has no kubelets, so every connection is refused. */
export function connectionRefused({ host, port }: { host: string; port: number | string }): string {
  return `dial tcp ${hostAndPort({ host, port })}: connect: connection refused`;
}

export function hostAndPort({ host, port }: { host: string; port: number | string }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
