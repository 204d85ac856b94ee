/** What a pod contributes to the endpoints of a Service. */
import { formatIp, isV6, parseIp } from '@flotilla/kube';
import type { Container, Pod } from '../kinds.ts';
import type { EndpointPort, Service, ServicePort, TargetReference } from '../network-kinds.ts';
import { conditionOf, isFinished, isTerminating } from '../pods/pod-state.ts';

export type IpFamily = 'IPv4' | 'IPv6';

export function hasEndpoint(pod: Readonly<Pod>, options: { readonly evenTerminating: boolean }): boolean {
  const hasAddress = (pod.status?.podIPs ?? []).length > 0;
  return hasAddress && !isFinished(pod) && (options.evenTerminating || !isTerminating(pod));
}

/** The usual address. The server refuses numbers above 255. */
const canonicalV4 = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

/** In canonical form. */
export function addressesOf({ status }: Readonly<Pod>, family: IpFamily): string[] {
  return (status?.podIPs ?? []).flatMap(({ ip = '' }) => {
    if (canonicalV4.test(ip)) return family === 'IPv4' ? [ip] : [];
    const parsed = parseIp(ip);
    if (parsed === undefined) return [];
    return isV6(parsed) === (family === 'IPv6') ? [formatIp(parsed)] : [];
  });
}

export function targetReference({ metadata }: Readonly<Pod>): TargetReference {
  const { namespace = '', name = '', uid = '' } = metadata;
  return { kind: 'Pod', namespace, name, uid };
}

/** Pods of a headless Service have names in DNS if their subdomain is the Service. */
export function hostnameFor({ metadata }: Readonly<Service>, pod: Readonly<Pod>): string | undefined {
  const { hostname = '', subdomain } = pod.spec ?? {};
  return hostname !== '' && subdomain === metadata.name ? hostname : undefined;
}

/** The ports of the pod that ports of the Service lead to, except those whose name no container has. */
export function portsFor({ spec = {} }: Readonly<Service>, pod: Readonly<Pod>): EndpointPort[] {
  return (spec.ports ?? []).map((port) => portFor(pod, port)).filter((port) => port !== undefined);
}

function portFor(pod: Readonly<Pod>, servicePort: Readonly<ServicePort>): EndpointPort | undefined {
  const { name = '', protocol = 'TCP', appProtocol, targetPort } = servicePort;
  const port = typeof targetPort === 'string' ? namedPort(pod, targetPort, protocol) : (targetPort ?? 0);
  return port === undefined ? undefined : { name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) };
}

function namedPort({ spec = {} }: Readonly<Pod>, name: string, protocol: string): number | undefined {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
  return containers.flatMap(({ ports = [] }) => ports).find((port) => port.name === name && port.protocol === protocol)
    ?.containerPort;
}

function isSidecar({ restartPolicy }: Readonly<Container>): boolean {
  return restartPolicy === 'Always';
}

export function isHeadless({ spec = {} }: Readonly<Service>): boolean {
  return spec.clusterIP === undefined || spec.clusterIP === '' || spec.clusterIP === 'None';
}

/** When the pod became ready, or stopped being so. */
export function readinessTime(pod: Readonly<Pod>): string | undefined {
  return conditionOf(pod, 'Ready')?.lastTransitionTime;
}
