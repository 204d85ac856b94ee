import type { EndpointSubset } from '../network-kinds.ts';

/** The most addresses of an Endpoints object. */
const maxAddresses = 1000;

export function countAddresses(subsets: readonly Readonly<EndpointSubset>[]): { ready: number; notReady: number } {
  let ready = 0;
  let notReady = 0;
  for (const { addresses = [], notReadyAddresses = [] } of subsets) {
    ready += addresses.length;
    notReady += notReadyAddresses.length;
  }
  return { ready, notReady };
}

export function isOverCapacity(subsets: readonly Readonly<EndpointSubset>[]): boolean {
  const { ready, notReady } = countAddresses(subsets);
  return ready + notReady > maxAddresses;
}

/** Keeps at most 1000 addresses, ready ones first, from each subset in proportion to what it has. */
export function truncateSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const { ready, notReady } = countAddresses(subsets);
  const cutsReady = ready > maxAddresses;
  const [room, total] = cutsReady ? [maxAddresses, ready] : [maxAddresses - ready, notReady];
  let left = room;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports }) => {
    const cut = cutsReady ? addresses : notReadyAddresses;
    const kept = cut.slice(0, Math.min(left, Math.ceil((cut.length / total) * room)));
    left -= kept.length;
    const readyAddresses = cutsReady ? kept : addresses;
    return {
      ...(readyAddresses.length > 0 && { addresses: readyAddresses }),
      ...(!cutsReady && kept.length > 0 && { notReadyAddresses: kept }),
      ...(ports && { ports }),
    };
  });
}
