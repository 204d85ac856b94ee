/** When two endpoints or lists of ports are the same to Kubernetes. */
import { structDump } from '@flotilla/builtins/struct-dump';
import { jsonEquals, type JsonValue } from '@flotilla/kube';
import { fnv128a } from '../hash/fnv128.ts';
import type { Endpoint, EndpointPort, TargetReference } from '../network-kinds.ts';

/** Endpoints with the same key are the same one, in another state. */
export function endpointKey({ addresses, hostname = '', targetRef = {} }: Readonly<Endpoint>): string {
  return `${addresses.toSorted().join(',')} ${hostname} ${targetRef.namespace ?? ''}/${targetRef.name ?? ''}`;
}

/** Whether two endpoints with the same key are in the same state. */
export function isSameState(one: Readonly<Endpoint>, other: Readonly<Endpoint>): boolean {
  return (
    one.nodeName === other.nodeName &&
    one.zone === other.zone &&
    one.conditions?.ready === other.conditions?.ready &&
    one.conditions?.serving === other.conditions?.serving &&
    one.conditions?.terminating === other.conditions?.terminating &&
    isSameTarget(one.targetRef, other.targetRef)
  );
}

/** The version of the target is not significant: it changes with every write. */
function isSameTarget(one: TargetReference | undefined, other: TargetReference | undefined): boolean {
  const significant = (target: TargetReference | undefined): JsonValue =>
    target === undefined ? null : { ...target, resourceVersion: '' };
  return jsonEquals(significant(one), significant(other));
}

/** Lists with the same ports in any order have the same key. */
export function portsKey(ports: readonly Readonly<EndpointPort>[] | null | undefined): string {
  const texts = (ports ?? []).map(
    ({ name, port, protocol, appProtocol }) => `${name} ${port} ${protocol} ${appProtocol}`,
  );
  return texts.sort().join(',');
}

/** Kubernetes orders ports by the hash of what Go prints for them. */
export function inHashOrder(ports: readonly EndpointPort[], packageName: 'core/v1' | 'discovery/v1'): EndpointPort[] {
  if (ports.length < 2) return [...ports];
  const hashed = ports.map((port) => {
    const hash = fnv128a(Buffer.from(structDump(packageName, 'EndpointPort', port)));
    return { port, hash };
  });
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ port }) => port);
}
