import { jsonEquals } from '@flotilla/kube';
import type { Endpoint, EndpointSlice, Service } from '../network-kinds.ts';

/** Adds to ready endpoints which zones or nodes should use them, if the Service prefers close ones. */
export function withHints({ spec = {} }: Readonly<Service>, endpoint: Endpoint): Endpoint {
  const { zone, nodeName, conditions } = endpoint;
  const preference = spec.trafficDistribution;
  const isClose = preference === 'PreferClose' || preference === 'PreferSameZone' || preference === 'PreferSameNode';
  if (!isClose || conditions?.ready !== true) return endpoint;
  const forNodes = preference === 'PreferSameNode' && nodeName !== undefined ? [{ name: nodeName }] : undefined;
  const forZones = zone === undefined ? undefined : [{ name: zone }];
  if (forZones === undefined && forNodes === undefined) return endpoint;
  return { ...endpoint, hints: { ...(forZones && { forZones }), ...(forNodes && { forNodes }) } };
}

/** Whether the slice has other hints than these endpoints, which are its own in the same order. */
export function hasOtherHints({ endpoints }: Readonly<EndpointSlice>, wanted: readonly Endpoint[]): boolean {
  return (endpoints ?? []).some(({ hints }, at) => !jsonEquals(hints ?? {}, wanted[at]?.hints ?? {}));
}
