import { structDump } from '@flotilla/builtins/struct-dump';
import { compareBytes } from '@flotilla/kube';
import { inHashOrder } from '../endpoint-slices/endpoint-identity.ts';
import { fnv128a } from '../hash/fnv128.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../network-kinds.ts';

interface AddressState {
  readonly address: EndpointAddress;
  isReady: boolean;
}

/**
 * The canonical layout of subsets: each port with all its addresses, then ports with the same addresses together. An address that is ready
 * in one subset and not in another is not ready.
 */
export function repackSubsets(subsets: readonly Readonly<EndpointSubset>[]): EndpointSubset[] {
  const byPort = new Map<string, { port: EndpointPort | undefined; addresses: Map<string, AddressState> }>();
  for (const { ports = [], addresses = [], notReadyAddresses = [] } of subsets) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = port === undefined ? '' : portKey(port);
      let entry = byPort.get(key);
      if (entry === undefined) byPort.set(key, (entry = { port, addresses: new Map() }));
      for (const address of addresses) addAddress(entry.addresses, address, true);
      for (const address of notReadyAddresses) addAddress(entry.addresses, address, false);
    }
  }
  const byAddresses = new Map<string, { ports: EndpointPort[]; states: readonly AddressState[] }>();
  for (const { port, addresses } of byPort.values()) {
    const states = [...addresses].sort(([a], [b]) => compareBytes(a, b));
    const key = states.map(([address, { isReady }]) => `${address} ${isReady}`).join(',');
    let group = byAddresses.get(key);
    if (group === undefined) byAddresses.set(key, (group = { ports: [], states: states.map(([, state]) => state) }));
    if (port !== undefined) group.ports.push(port);
  }
  return inSubsetOrder([...byAddresses.values()].map(({ ports, states }) => subsetOf(ports, states)));
}

function portKey({ name = '', port, protocol, appProtocol }: Readonly<EndpointPort>): string {
  return `${name} ${port} ${protocol} ${appProtocol}`;
}

function addAddress(addresses: Map<string, AddressState>, address: EndpointAddress, isReady: boolean): void {
  // Two pods may share an address, for instance that of their node.
  const key = `${address.ip} ${address.targetRef?.uid ?? ''}`;
  const known = addresses.get(key);
  if (known === undefined) addresses.set(key, { address, isReady });
  else if (!isReady) known.isReady = false;
}

function subsetOf(ports: readonly EndpointPort[], states: readonly AddressState[]): EndpointSubset {
  const addresses = states.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReadyAddresses = states.filter(({ isReady }) => !isReady).map(({ address }) => address);
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports: inHashOrder(ports, 'core/v1') }),
  };
}

/** Kubernetes orders subsets by the hash of what Go prints for them. */
function inSubsetOrder(subsets: EndpointSubset[]): EndpointSubset[] {
  if (subsets.length < 2) return subsets;
  const hashed = subsets.map((subset) => ({
    subset,
    hash: fnv128a(Buffer.from(structDump('core/v1', 'EndpointSubset', subset))),
  }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ subset }) => subset);
}
