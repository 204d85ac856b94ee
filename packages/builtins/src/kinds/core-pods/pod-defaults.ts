import { setContainerDefaults } from './container-defaults.ts';
import type { ContainerFields } from './container-fields.ts';
import { setPodResourceDefaults } from './pod-level-resources.ts';
import type { PodFields, PodSpecFields, PodStatusFields, PodTemplateFields } from './pod-fields.ts';
import { roundUpToMilli } from './resource-lists.ts';
import { putAllSorted } from '../sorted-map.ts';
import { setVolumeDefaults } from './volume-defaults.ts';

/** Defaults of a pod: those of its spec, and some that templates do not get. */
export function setPodDefaults(pod: PodFields): void {
  const spec = (pod.spec ??= {});
  defaultRequestsToLimits(spec.containers);
  defaultRequestsToLimits(spec.initContainers);
  if (spec.resources !== undefined) setPodResourceDefaults(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) {
    defaultHostPorts(spec.containers);
    defaultHostPorts(spec.initContainers);
  }
  setPodSpecDefaults(spec);
  if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
  syncPodIps((pod.status ??= {}));
}

export function setPodTemplateDefaults(template: PodTemplateFields): void {
  template.metadata ??= {};
  setPodSpecDefaults((template.spec ??= {}));
}

/** For the `template` of any kind. A missing one becomes an empty one with defaults, as in Go. */
export function setTemplateDefaultsOf(owner: { template?: PodTemplateFields }): void {
  setPodTemplateDefaults((owner.template ??= { spec: {} }));
}

function setPodSpecDefaults(spec: PodSpecFields): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  setVolumeDefaults(spec.volumes);
  setContainerDefaults(spec.initContainers);
  setContainerDefaults(spec.containers);
  setContainerDefaults(spec.ephemeralContainers);
  roundUpToMilli(spec.overhead);
  roundUpToMilli(spec.resources?.limits);
  roundUpToMilli(spec.resources?.requests);
  syncServiceAccount(spec);
}

/** `serviceAccount` is the old name of `serviceAccountName`. Both are always shown; the new one wins. */
function syncServiceAccount(spec: PodSpecFields): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** `podIP` is the old name of `podIPs[0].ip`. The old one wins, because old kubelets send only that. */
function syncPodIps(status: PodStatusFields): void {
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP) {
    if (status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  } else if (first) {
    status.podIP = first;
  }
}

function defaultRequestsToLimits(containers: readonly ContainerFields[] | null | undefined): void {
  if (!containers) return;
  for (const { resources } of containers) {
    if (resources?.limits === undefined) continue;
    const requests = (resources.requests ??= {});
    const missing = Object.entries(resources.limits).filter(([name]) => !Object.hasOwn(requests, name));
    if (missing.length > 0) putAllSorted(requests, missing);
  }
}

/** With the host's network, a port of the container is a port of the host. */
function defaultHostPorts(containers: readonly ContainerFields[] | null | undefined): void {
  for (const container of containers ?? []) {
    for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
}
