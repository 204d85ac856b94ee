/** The steps of the server between defaulting and the hooks of a kind, for tests that replay recorded answers. */
import { apiErrors, type KubeObject } from '@flotilla/kube';
import { addDefaultTolerations, keepPriority, resolvePriority } from './core-pods/admission/admission.ts';
import type { PodFields } from './core-pods/pod-fields.ts';
import { planServiceCreate, planServiceUpdate } from './core-services/service-allocation.ts';
import { serviceOf } from './core-services/service-fields.ts';
import { claimsOf, ServiceNetwork } from './core-services/service-network.ts';

const pods = { group: '', resource: 'pods' };
const noPriorityClasses = { named: () => undefined, byDefault: () => undefined };

export function admitCreate(object: KubeObject): void {
  if (object.kind === 'Pod') {
    addDefaultTolerations(object as PodFields);
    const refusal = resolvePriority(object as PodFields, noPriorityClasses);
    if (refusal !== undefined) throw apiErrors.forbidden(pods, object.metadata.name ?? '', refusal);
  }
  if (object.kind === 'Service') {
    planServiceCreate(serviceOf(object), { network: networkOf(), random, dryRun: false });
  }
}

export function admitUpdate(object: KubeObject, old: KubeObject): void {
  if (object.kind === 'Pod') {
    addDefaultTolerations(object as PodFields);
    keepPriority(object as PodFields, old as PodFields);
  }
  if (object.kind === 'Service') {
    planServiceUpdate(serviceOf(object), serviceOf(old), { network: networkOf(old), random, dryRun: false });
  }
}

/** The recorded server allocated other addresses and ports: replaces ours with those. */
export function withAllocated(object: KubeObject, sentObject: KubeObject, stored: KubeObject): KubeObject {
  if (object.kind !== 'Service') return object;
  const sent = serviceOf(structuredClone(sentObject)).spec;
  const drawn = serviceOf(stored).spec;
  const like = structuredClone(object);
  const { spec } = serviceOf(like);
  if (!sent.clusterIP && spec.clusterIP && drawn.clusterIP) {
    spec.clusterIP = drawn.clusterIP;
    spec.clusterIPs = [drawn.clusterIP];
  }
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const nodePort = drawn.ports?.[index]?.nodePort;
    if (!sent.ports?.[index]?.nodePort && port.nodePort && nodePort) port.nodePort = nodePort;
  }
  if (!sent.healthCheckNodePort && spec.healthCheckNodePort && drawn.healthCheckNodePort) {
    spec.healthCheckNodePort = drawn.healthCheckNodePort;
  }
  return like;
}

function networkOf(...services: readonly KubeObject[]): ServiceNetwork {
  const network = new ServiceNetwork();
  network.take({ ips: ['10.0.0.1'], ports: [] });
  for (const service of services) network.take(claimsOf(serviceOf(service).spec));
  return network;
}

function random(): number {
  return 0.5;
}
