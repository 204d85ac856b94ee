/** The endpoints that the pods of a Service should have. */
import { isV6, parseIp } from '@flotilla/kube';
import type { Node, Pod } from '../kinds.ts';
import type { Endpoint, EndpointPort, Service } from '../network-kinds.ts';
import { isReady, isTerminating } from '../pods/pod-state.ts';
import { addressesOf, hostnameFor, portsFor, targetReference, type IpFamily } from '../services/pod-endpoint.ts';
import { inHashOrder, portsKey } from './endpoint-identity.ts';
import { withHints } from './hints.ts';

/** A Service without families is one of an old server: those of its address, or both. */
export function familiesOf({ spec = {} }: Readonly<Service>): IpFamily[] {
  const families = (['IPv4', 'IPv6'] as const).filter((family) => spec.ipFamilies?.includes(family));
  if (families.length > 0) return families;
  const address = parseIp(spec.clusterIP ?? '');
  if (address === undefined) return ['IPv4', 'IPv6'];
  return [isV6(address) ? 'IPv6' : 'IPv4'];
}

/** The endpoints of a family, in groups of equal ports: pods may have different ports of the same name. */
export interface FamilyEndpoints {
  readonly family: IpFamily;
  /** By `portsKey`. */
  readonly groups: ReadonlyMap<string, PortGroup>;
}

interface PortGroup {
  readonly ports: EndpointPort[];
  readonly members: { readonly pod: Readonly<Pod>; readonly endpoint: Endpoint }[];
}

/** `nodes` by name. */
export function wantedEndpoints(
  service: Readonly<Service>,
  family: IpFamily,
  pods: readonly Readonly<Pod>[],
  nodes: ReadonlyMap<string, Readonly<Node>>,
): FamilyEndpoints {
  const groups = new Map<string, PortGroup>();
  for (const pod of pods) {
    const ports = portsFor(service, pod);
    const key = portsKey(ports);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { ports: inHashOrder(ports, 'discovery/v1'), members: [] }));
    const endpoint = endpointOf(service, family, pod, nodes.get(pod.spec?.nodeName ?? ''));
    if (endpoint.addresses.length > 0) group.members.push({ pod, endpoint });
  }
  return { family, groups };
}

function endpointOf(
  service: Readonly<Service>,
  family: IpFamily,
  pod: Readonly<Pod>,
  node: Readonly<Node> | undefined,
): Endpoint {
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const hostname = hostnameFor(service, pod);
  const nodeName = pod.spec?.nodeName ?? '';
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'] ?? '';
  return withHints(service, {
    addresses: addressesOf(pod, family),
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: targetReference(pod),
    ...(nodeName !== '' && { nodeName }),
    ...(zone !== '' && { zone }),
  });
}
