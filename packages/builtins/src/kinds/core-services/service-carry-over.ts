/** What an update of a Service keeps although the client omitted it, and drops although the client sent it. */
import {
  isExternallyAccessible,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  sameList,
  type ServiceFields,
  type ServiceSpec,
} from './service-fields.ts';

/** `clusterIP` and `clusterIPs[0]` are one value; old clients know only the first. */
export function syncClusterIPs(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  if (clusterIPs.length === 0 && old.clusterIPs !== undefined && old.clusterIP === spec.clusterIP) {
    spec.clusterIPs = [...old.clusterIPs];
  }
  if ((old.clusterIP ?? '') === clusterIP || !sameList(old.clusterIPs, spec.clusterIPs)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Applying the original manifest again must not lose allocated values. */
export function adoptAllocatedValues(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(old) && needsClusterIP(spec)) adoptClusterIPs(spec, old);
  if (wantsNodePorts(old) && wantsNodePorts(spec)) adoptNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && (spec.healthCheckNodePort ?? 0) === 0) {
    assignOrDelete(spec, 'healthCheckNodePort', old.healthCheckNodePort);
  }
}

/** Drops unchanged fields that only fit the old type. Validation refuses them if the user changed them too. */
export function dropTypeDependentFields(service: ServiceFields, old: ServiceFields): void {
  dropSpecFields(service.spec, old.spec);
  if (service.spec.type !== 'LoadBalancer' && service.status !== undefined) {
    service.status = { ...service.status, loadBalancer: {} };
  }
}

function dropSpecFields(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(old) && !needsClusterIP(spec)) dropClusterIPs(spec, old);
  if (hasNodePorts(old) && !hasNodePorts(spec) && addsNoNodePort(spec, old)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropUnchanged(spec, old, 'healthCheckNodePort');
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropUnchanged(spec, old, 'allocateLoadBalancerNodePorts');
    dropUnchanged(spec, old, 'loadBalancerClass');
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(spec)) {
    dropUnchanged(spec, old, 'externalTrafficPolicy');
  }
}

function dropClusterIPs(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.clusterIP === old.clusterIP && sameList(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameList(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
  dropUnchanged(spec, old, 'ipFamilyPolicy');
}

function adoptClusterIPs(spec: ServiceSpec, old: ServiceSpec): void {
  if ((spec.clusterIP ?? '') === '') assignOrDelete(spec, 'clusterIP', old.clusterIP);
  if ((spec.clusterIPs ?? []).length === 0 && old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs];
}

/** Ports are matched by name. A number that another port of the update has is not used twice. */
function adoptNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const named = new Set(nodePortsOf(spec));
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0;
    if ((port.nodePort ?? 0) === 0 && before !== 0 && !named.has(before)) port.nodePort = before;
  }
}

function dropUnchanged(spec: ServiceSpec, old: ServiceSpec, field: keyof ServiceSpec): void {
  if (spec[field] === old[field]) delete spec[field];
}

function assignOrDelete<Field extends keyof ServiceSpec>(
  spec: ServiceSpec,
  field: Field,
  value: ServiceSpec[Field] | undefined,
): void {
  if (value === undefined) delete spec[field];
  else spec[field] = value;
}

function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

function wantsNodePorts(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) && (spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false);
}

function addsNoNodePort(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set(nodePortsOf(old));
  return nodePortsOf(spec).every((port) => before.has(port));
}
