/**
 * Plans the addresses and ports that a write of a Service takes and releases. Planning sets the chosen values in the
 * new object and changes nothing else. The caller takes `take` before it stores the object, then releases `release` on
 * success or `take` on failure.
 */
import { apiErrors, invalid, type ObjectMeta } from '@flotilla/kube';
import type { Random } from './pool-band.ts';
import { PortDraft } from './port-pool.ts';
import { adoptAllocatedValues, syncClusterIPs } from './service-carry-over.ts';
import {
  needsHealthCheck,
  nodePortsOf,
  type ServiceFields,
  type ServicePort,
  type ServiceSpec,
} from './service-fields.ts';
import { keepsPreferredFamilies, setIpFamilies } from './service-ip-families.ts';
import { clusterIPsHeld, type ServiceClaims, type ServiceNetwork } from './service-network.ts';

export interface AllocationPlan {
  readonly take: ServiceClaims;
  readonly release: ServiceClaims;
}

interface AllocationOptions {
  readonly network: ServiceNetwork;
  readonly random: Random;
  /** Shows likely values, allocates nothing. */
  readonly dryRun: boolean;
}

/** Runs before preparation and validation, on a Service with defaults. Throws an ApiError. */
export function planServiceCreate(service: ServiceFields, options: AllocationOptions): AllocationPlan {
  const { spec, metadata } = service;
  syncClusterIPs(spec, undefined);
  setIpFamilies(service, undefined);
  const ips = allocateClusterIPs(service, options);
  const ports = new PortDraft(options);
  if (usesNodePorts(spec)) allocateNodePorts(spec, metadata, ports);
  if (needsHealthCheck(spec)) allocateHealthCheckPort(spec, ports);
  return planOf(options, { ips, ports: [...ports.taken] }, { ips: [], ports: [] });
}

/** The same for an update; `old` is the stored Service. */
export function planServiceUpdate(
  service: ServiceFields,
  old: ServiceFields,
  options: AllocationOptions,
): AllocationPlan {
  adoptAllocatedValues(service.spec, old.spec);
  syncClusterIPs(service.spec, old.spec);
  setIpFamilies(service, old);
  const ips = reallocateClusterIPs(service, old, options);
  const ports = reallocatePorts(service, old, options);
  return planOf(options, { ips: ips.take, ports: [...ports.taken] }, { ips: ips.release, ports: ports.released });
}

function planOf({ dryRun }: AllocationOptions, take: ServiceClaims, release: ServiceClaims): AllocationPlan {
  const nothing: ServiceClaims = { ips: [], ports: [] };
  return dryRun ? { take: nothing, release: nothing } : { take, release };
}

/** A single-stack cluster has one address per Service. */
function allocateClusterIPs(service: ServiceFields, { network, random, dryRun }: AllocationOptions): string[] {
  const { spec, metadata } = service;
  if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === 'None') return [];
  const requested = spec.clusterIPs?.[0] ?? '';
  if (requested !== '') {
    const refusal = dryRun ? network.ips.dryRunRefusal(requested) : network.ips.refusal(requested);
    if (refusal !== undefined) {
      const message = `failed to allocate IP ${requested}: ${refusal}`;
      throw invalidService(metadata, 'spec.clusterIPs', spec.clusterIPs ?? [], message);
    }
    return [requested];
  }
  const ip = dryRun ? network.ips.placeholder : network.ips.pick(random);
  if (ip === undefined) {
    const { name = '' } = metadata;
    throw apiErrors.internalError(`failed to allocate a serviceIP for Service ${JSON.stringify(name)}: range is full`);
  }
  spec.clusterIP = ip;
  spec.clusterIPs = [ip];
  return [ip];
}

function reallocateClusterIPs(
  service: ServiceFields,
  old: ServiceFields,
  options: AllocationOptions,
): { take: string[]; release: string[] } {
  const wasExternal = old.spec.type === 'ExternalName';
  const isExternal = service.spec.type === 'ExternalName';
  if (keepsPreferredFamilies(service.spec, old.spec)) return { take: [], release: [] };
  if (wasExternal && !isExternal) return { take: allocateClusterIPs(service, options), release: [] };
  if (!wasExternal && isExternal) return { take: [], release: clusterIPsHeld(old.spec) };
  return { take: [], release: [] };
}

function reallocatePorts(service: ServiceFields, old: ServiceFields, options: AllocationOptions): PortDraft {
  const { spec, metadata } = service;
  const ports = new PortDraft(options);
  if (usesNodePorts(spec)) {
    updateNodePorts(spec, old.spec, metadata, ports);
  } else if (usesNodePorts(old.spec)) {
    ports.releaseAll(nodePortsOf(old.spec));
  }
  const needed = needsHealthCheck(old.spec);
  const needs = needsHealthCheck(spec);
  if (!needed && needs) allocateHealthCheckPort(spec, ports);
  if (needed && !needs) ports.releaseAll([old.spec.healthCheckNodePort ?? 0]);
  return ports;
}

/** Ports with the same number (TCP and UDP 53, say) share a node port, unless the user requests otherwise. */
function allocateNodePorts(spec: ServiceSpec, metadata: ObjectMeta, draft: PortDraft): void {
  const ports = spec.ports ?? [];
  const requests = requestedNodePorts(ports);
  const chosen = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    const own = port.nodePort ?? 0;
    if (own === 0 && !allocatesNodePorts(spec)) continue;
    const shared = chosen.get(port.port);
    if (shared === undefined) {
      const requested = requests.get(port.port);
      port.nodePort = requested === undefined ? draft.next() : takeNodePort(requested, index, metadata, draft);
      chosen.set(port.port, port.nodePort);
    } else if (own === 0) {
      port.nodePort = shared;
    } else if (own !== shared) {
      takeNodePort(own, index, metadata, draft);
    }
  }
}

function updateNodePorts(spec: ServiceSpec, old: ServiceSpec, metadata: ObjectMeta, draft: PortDraft): void {
  const held = new Set(nodePortsOf(old));
  const seen = new Set<string>();
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const own = port.nodePort ?? 0;
    if (own === 0 && !allocatesNodePorts(spec)) continue;
    if (own === 0) port.nodePort = draft.next();
    else if (!held.has(own) && !draft.taken.has(own)) takeNodePort(own, index, metadata, draft);
    const pair = `{${port.protocol ?? ''} ${port.nodePort ?? 0}}`;
    if (seen.has(pair)) throw apiErrors.unknown(`duplicate nodePort: ${pair}`);
    seen.add(pair);
  }
  const kept = new Set(nodePortsOf(spec));
  draft.releaseAll([...held].filter((port) => !kept.has(port)));
}

function allocateHealthCheckPort(spec: ServiceSpec, draft: PortDraft): void {
  const requested = spec.healthCheckNodePort ?? 0;
  if (requested === 0) {
    spec.healthCheckNodePort = draft.next('failed to allocate a HealthCheck NodePort 0');
    return;
  }
  const refusal = draft.take(requested);
  if (refusal !== undefined) {
    throw apiErrors.internalError(`failed to allocate requested HealthCheck NodePort ${requested}: ${refusal}`);
  }
}

function takeNodePort(port: number, index: number, metadata: ObjectMeta, draft: PortDraft): number {
  const refusal = draft.take(port);
  if (refusal !== undefined) throw invalidService(metadata, `spec.ports[${index}].nodePort`, port, refusal);
  return port;
}

function requestedNodePorts(ports: readonly ServicePort[]): Map<number, number> {
  const requests = new Map<number, number>();
  for (const { port, nodePort = 0 } of ports) {
    if (nodePort !== 0 && !requests.has(port)) requests.set(port, nodePort);
  }
  return requests;
}

function usesNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function allocatesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

function invalidService(metadata: ObjectMeta, field: string, value: number | string[], detail: string): Error {
  return apiErrors.invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [invalid(field, value, detail)]);
}
