import type { PodFields } from '@flotilla/builtins';
import { apiErrors, type KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../../resources/object-bytes.ts';
import type { Call } from '../../../call/call.ts';

/** The pod that a request is about. */
export function podNamed({ server, info }: Call, name: string): PodFields {
  const entry = server.store.get({ collection: 'pods', name: `${info.namespace}/${name}` });
  if (!entry) throw apiErrors.notFound({ resource: 'pods', group: '' }, name);
  return decodeStored(entry.bytes) as PodFields;
}

/** The container that is meant: the one that is named, or the only one. */
export function containerOf({ metadata, spec }: PodFields, asked: string): string {
  const { name } = metadata;
  const inits = (spec.initContainers ?? []).map((container) => container.name);
  const plain = (spec.containers ?? []).map((container) => container.name);
  const ephemeral = ((spec['ephemeralContainers'] ?? []) as { name: string }[]).map((container) => container.name);
  if (asked !== '') {
    if ([...inits, ...plain, ...ephemeral].includes(asked)) return asked;
    throw apiErrors.badRequest(`container ${asked} is not valid for pod ${name}`);
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

/** Where a node's kubelet would listen. */
interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

const preferred = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const usualPort = 10_250;

/** `kind`: what the request is about; Kubernetes blames that when the node is missing. */
export function kubeletOf({ server }: Call, node: string, kind: 'pods' | 'nodes'): KubeletAddress {
  const entry = server.store.get({ collection: 'nodes', name: node });
  if (!entry) throw apiErrors.notFound({ resource: kind, group: '' }, node);
  const { status = {} } = decodeStored(entry.bytes) as NodeFields;
  const addresses = status.addresses ?? [];
  const chosen = preferred.map((type) => addresses.find((address) => address.type === type)).find((found) => found);
  if (!chosen) throw apiErrors.unknown('no preferred addresses found; known addresses: []');
  return { host: chosen.address, port: status.daemonEndpoints?.kubeletEndpoint?.Port || usualPort };
}

/** What Go says when nobody listens. No kubelet belongs to this cluster, so nobody does. */
export function nobodyListens({ host, port }: { host: string; port: number | string }): string {
  return `dial tcp ${hostAndPort({ host, port })}: connect: connection refused`;
}

export function hostAndPort({ host, port }: { host: string; port: number | string }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
