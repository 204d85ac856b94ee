/**
 * The companions of a Service: an IPAddress for each of its cluster IPs. Endpoints of its name are deleted with it, so that a
 * later Service of that name does not find them.
 */
import { ipAddressFor, serviceOf } from '@flotilla/builtins';
import { formatTime, updateManagedFields, type KubeObject } from '@flotilla/kube';
import type { Delete, Key, Put, Write } from '../store/store.ts';
import { endpointOf } from './endpoint.ts';
import { decodeStored, encoderOf, headerOf, withRevisionSlot } from './object-bytes.ts';
import type { Resource, ResourceDependencies } from './resource.ts';

export const serviceCompanions: NonNullable<Resource['companions']> = (server, now, before) => {
  const newAddresses = addressesOf(now);
  const oldAddresses = addressesOf(before);
  const writes: (Write | undefined)[] = [
    ...newAddresses.filter((ip) => !oldAddresses.includes(ip)).map((ip) => putAddress(server, ip, now)),
    ...oldAddresses
      .filter((ip) => !newAddresses.includes(ip))
      .map((ip) => removal(server, { collection: addresses, name: ip })),
  ];
  if (now === undefined && before !== undefined) {
    const { namespace = '', name = '' } = before.metadata;
    writes.push(removal(server, { collection: 'endpoints', name: `${namespace}/${name}` }));
  }
  return writes.filter((write) => write !== undefined);
};

const addresses = 'ipaddresses.networking.k8s.io';

function addressesOf(service: KubeObject | undefined): string[] {
  if (service === undefined) return [];
  return (serviceOf(service).spec.clusterIPs ?? []).filter((ip) => ip !== '' && ip !== 'None');
}

function putAddress(server: ResourceDependencies, ip: string, owner: KubeObject | undefined): Put | undefined {
  const resource = server.registry.find('networking.k8s.io', 'v1', 'ipaddresses');
  const endpoint = resource && endpointOf(resource, '');
  if (!resource || !endpoint || !owner) return undefined;
  const now = server.now();
  const object = ipAddressFor(ip, owner.metadata);
  object.metadata.uid = server.uid();
  object.metadata.creationTimestamp = formatTime(now);
  const manager = 'kube-apiserver';
  const managedFields = updateManagedFields({ kind: endpoint.managed, live: undefined, object, manager, now });
  if (managedFields) object.metadata.managedFields = managedFields;
  const stored = withRevisionSlot(resource.codec.inWireOrder(object));
  const key = { collection: addresses, name: ip };
  const expected = server.store.newest(key)?.revision ?? 0;
  return { verb: 'put', key, expected, header: headerOf(resource, stored), encode: encoderOf(stored) };
}

/** Undefined if the object does not exist, or has finalizers. */
function removal({ store }: ResourceDependencies, key: Key): Delete | undefined {
  const entry = store.newest(key);
  if (entry === undefined || (entry.header.finalizers ?? []).length > 0) return undefined;
  const stored = withRevisionSlot(decodeStored(entry.bytes));
  return { verb: 'delete', key, expected: entry.revision, encode: encoderOf(stored) };
}
