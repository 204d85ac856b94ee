/** The resize subresource, which changes the resources of a running pod. */
import { forbidden, invalid, type FieldError } from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import type { PodFields, PodSpecFields, ResourceList, ResourceRequirementsFields } from './pod-fields.ts';
import { qosClassOf } from './pod-qos.ts';
import { mirrorAnnotation } from './pod-validation/annotations.ts';
import { isSidecar } from './pod-validation/containers.ts';
import { checkPod } from './pod-validation/pod.ts';
import { annotationOf } from './security-profiles.ts';
import { semanticEqual } from '../semantic-equal.ts';

/** Restores everything but resources. Validation refuses a renamed container. */
export function keepAllButResources(pod: PodFields, old: PodFields): void {
  const { containers, initContainers, resources } = pod.spec;
  const hasSameCount =
    containers?.length === old.spec.containers?.length && initContainers?.length === old.spec.initContainers?.length;
  if (!hasSameCount) return;
  pod.spec = { ...old.spec, containers: withResources(old.spec.containers ?? [], containers ?? []) };
  if (initContainers) pod.spec.initContainers = withResources(old.spec.initContainers ?? [], initContainers);
  if (resources === undefined) delete pod.spec.resources;
  else pod.spec.resources = resources;
  pod.status = old.status;
}

function withResources(old: readonly ContainerFields[], containers: ContainerFields[]): ContainerFields[] {
  if (containers.some(({ name }, i) => name !== old[i]?.name)) return containers;
  return old.map((before, i) => {
    const { resizePolicy: _, ...kept } = before;
    const { resources = {}, resizePolicy } = containers[i] ?? before;
    return resizePolicy === undefined ? { ...kept, resources } : { ...kept, resources, resizePolicy };
  });
}

export function validateResize(pod: PodFields, old: PodFields): FieldError[] {
  if (annotationOf(old.metadata, mirrorAnnotation) !== undefined) {
    return [forbidden('', 'static pods cannot be resized')];
  }
  if (old.spec.os?.name === 'windows') return [forbidden('', 'windows pods cannot be resized')];
  const errors: FieldError[] = [];
  checkPod(errors, pod);
  if ((old.status.qosClass || qosClassOf(old)) !== qosClassOf(pod)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    errors.push(invalid('spec', pod.status.qosClass ?? '', detail));
  }
  if (!canBeResized(old)) errors.push(forbidden('spec', 'Pod running on node without support for resize'));
  const undone: PodSpecFields = { ...pod.spec };
  if (hasResources(old.spec.resources) || hasResources(pod.spec.resources)) {
    checkPodLevel(errors, undone, pod.spec, old.spec);
  }
  if (!checkOrder(errors, pod.spec, old.spec)) return errors;
  checkContainers(errors, undone, pod.spec, old.spec);
  if (errors.length === 0 && !semanticEqual(undone, old.spec)) {
    errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  }
  return errors;
}

/** A kubelet that supports resizing reports the resources of running containers. */
function canBeResized({ status }: PodFields): boolean {
  const running = status.containerStatuses?.find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function hasResources(resources: ResourceRequirementsFields | undefined): boolean {
  return Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
}

function checkPodLevel(errors: FieldError[], undone: PodSpecFields, spec: PodSpecFields, old: PodSpecFields): void {
  if (old.resources !== undefined && spec.resources === undefined) {
    return void errors.push(forbidden('spec.resources', 'pod-level resources cannot be removed'));
  }
  for (const which of ['requests', 'limits'] as const) {
    if (old.resources !== undefined && isReduced(spec.resources?.[which], old.resources[which])) {
      errors.push(forbidden(`spec.resources.${which}`, `pod-level resource ${which} cannot be removed`));
    }
  }
  const masked = withOldCompute(spec.resources, old.resources);
  if (old.resources === undefined && !hasResources(masked)) delete undone.resources;
  else undone.resources = masked;
  if (!semanticEqual(undone.resources, old.resources)) {
    errors.push(forbidden('spec', 'only cpu and memory resources are mutable at pod-level'));
  }
}

function isReduced(list: ResourceList = {}, old: ResourceList = {}): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(list, name));
}

/** Later checks compare containers by index. */
function checkOrder(errors: FieldError[], spec: PodSpecFields, old: PodSpecFields): boolean {
  const before = errors.length;
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? [];
    const oldContainers = old[list] ?? [];
    if (containers.length !== oldContainers.length) {
      errors.push(forbidden(`spec.${list}`, `${list} may not be added or removed on resize`));
      continue;
    }
    oldContainers.forEach(({ name }, i) => {
      if (containers[i]?.name === name) return;
      errors.push(forbidden(`spec.${list}[${i}].name`, `${list} may not be renamed or reordered on resize`));
    });
  }
  return errors.length === before;
}

function checkContainers(errors: FieldError[], undone: PodSpecFields, spec: PodSpecFields, old: PodSpecFields): void {
  for (const list of ['initContainers', 'containers'] as const) {
    old[list]?.forEach((before, i) => {
      for (const which of ['requests', 'limits'] as const) {
        if (!isReduced(spec[list]?.[i]?.resources?.[which], before.resources?.[which])) continue;
        errors.push(forbidden(`spec.${list}[${i}].resources.${which}`, `resource ${which} cannot be removed`));
      }
    });
  }
  undone.containers = (spec.containers ?? []).map((container, i) => {
    const masked = withOldComputeOf(container, old.containers?.[i]);
    if (!semanticEqual(masked, old.containers?.[i])) {
      errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
    }
    return masked;
  });
  if (spec.initContainers === undefined) return;
  undone.initContainers = spec.initContainers.map((container, i) => {
    return checkInitContainer(errors, `spec.initContainers[${i}]`, container, old.initContainers?.[i]);
  });
}

function checkInitContainer(
  errors: FieldError[],
  path: string,
  container: ContainerFields,
  old: ContainerFields | undefined,
): ContainerFields {
  const masked = withOldComputeOf(container, old);
  if (!semanticEqual(masked, old)) {
    errors.push(forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable'));
  }
  if (isSidecar(container) || semanticEqual(container, old)) return masked;
  for (const { restartPolicy } of container.resizePolicy ?? []) {
    if (restartPolicy !== 'RestartContainer') continue;
    const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
    errors.push(forbidden(path, detail));
  }
  return masked;
}

function withOldComputeOf(container: ContainerFields, old: ContainerFields | undefined): ContainerFields {
  const { claims: _, ...resources } = container.resources ?? {};
  return { ...container, resources: withOldCompute(resources, old?.resources) };
}

/** Restores CPU and memory, keeps everything else. */
function withOldCompute(
  resources: ResourceRequirementsFields = {},
  old: ResourceRequirementsFields = {},
): ResourceRequirementsFields {
  const masked: ResourceRequirementsFields = { ...resources };
  for (const which of ['requests', 'limits'] as const) {
    const { cpu: _cpu, memory: _memory, ...others } = resources[which] ?? {};
    const { cpu, memory } = old[which] ?? {};
    const list = { ...others, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
    if (Object.keys(list).length === 0) delete masked[which];
    else masked[which] = list;
  }
  return masked;
}
