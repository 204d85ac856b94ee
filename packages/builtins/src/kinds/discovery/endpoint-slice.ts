import { nameIsDnsSubdomain, warningsForIp, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { Columns, KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, startGeneration } from '../prepare-update.ts';
import { sameFields } from '../same-fields.ts';
import {
  endpointSliceOf,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
  type Endpoint,
  type EndpointPort,
} from './endpoint-slice-validation.ts';

const hostnameLabel = 'kubernetes.io/hostname';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const ownControllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

export const endpointSliceKind: KindBehavior = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    for (const port of endpointSliceOf(object).ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  prepareForCreate(object) {
    startGeneration(object);
    dropTopology(endpointSliceOf(object).endpoints ?? [], new Set());
  },
  prepareForUpdate(object, old) {
    bumpGenerationIf(hasChanged(object, old), object, old);
    const before = endpointSliceOf(old).endpoints ?? [];
    const endpoints = endpointSliceOf(object).endpoints ?? [];
    if (!sameFields(endpoints, before)) dropTopology(endpoints, topologyNodes(before));
  },
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  warnings: (object, old) => [
    ...(old === undefined && endpointSliceOf(object).addressType === 'FQDN'
      ? ['spec.addressType: FQDN endpoints are deprecated']
      : []),
    ...addressWarnings(object),
  ],
  columns: endpointSliceColumns(),
};

/** Labels count too, because controllers watch them. */
function hasChanged(object: KubeObject, old: KubeObject): boolean {
  const { metadata, ...fields } = object;
  const { metadata: oldMetadata, ...oldFields } = old;
  return !sameFields(fields, oldFields) || !sameFields(metadata.labels, oldMetadata.labels);
}

/** The v1 API does not store the beta's topology. A node name in it moves to `nodeName`. */
function dropTopology(endpoints: readonly Endpoint[], knownNodes: ReadonlySet<string>): void {
  for (const endpoint of endpoints) {
    const node = endpoint.deprecatedTopology?.[hostnameLabel];
    const isKept = node !== undefined && knownNodes.has(node) && nameIsDnsSubdomain(node, false).length === 0;
    if (endpoint.nodeName === undefined && isKept) endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

function topologyNodes(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  return new Set(endpoints.flatMap(({ deprecatedTopology }) => deprecatedTopology?.[hostnameLabel] ?? []));
}

function addressWarnings(object: KubeObject): string[] {
  if (ownControllers.includes(object.metadata.labels?.[managedByLabel] ?? '')) return [];
  return (endpointSliceOf(object).endpoints ?? []).flatMap(({ addresses }, endpoint) =>
    (addresses ?? []).flatMap((address, index) => warningsForIp(`endpoints[${endpoint}].addresses[${index}]`, address)),
  );
}

function endpointSliceColumns(): Columns {
  return {
    definitions: [
      nameColumn,
      column('AddressType', 'string', 'Whether the addresses are IPv4, IPv6 or host names.'),
      column('Ports', 'string', 'Ports that every endpoint of the slice exposes.'),
      column('Endpoints', 'string', 'Addresses of the endpoints.'),
      ageColumn,
    ],
    cells(object, now) {
      const { addressType = '', ports, endpoints } = endpointSliceOf(object);
      const addresses = (endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
      const name = object.metadata.name ?? '';
      return [name, addressType, firstThree((ports ?? []).map(portText)), firstThree(addresses), age(object, now)];
    },
  };
}

function portText({ port, name }: EndpointPort): string {
  return port === undefined ? (name ?? '*') : String(port);
}

function firstThree(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).join(',');
  if (texts.length > 3) return `${shown} + ${texts.length - 3} more...`;
  return shown || '<unset>';
}
