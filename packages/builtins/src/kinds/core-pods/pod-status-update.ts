/** The status subresource of pods, which kubelets write. */
import {
  forbidden,
  internalFieldError,
  invalid,
  isV6,
  nameIsDnsSubdomain,
  parseIp,
  pushAll,
  qualifiedNameProblems,
  validateIpSpelling,
  duplicate,
  type FieldError,
  type JsonObject,
  type ObjectMeta,
} from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import type { ContainerStatusFields, Int64, PodFields, PodSpecFields, PodStatusFields } from './pod-fields.ts';
import { checkAnnotationChanges, checkAnnotations } from './pod-validation/annotations.ts';
import { invalidForEach } from './pod-validation/checks.ts';

export function keepAllButStatus(pod: PodFields, old: PodFields): void {
  pod.spec = old.spec;
  keepField(pod.metadata, old.metadata, 'deletionTimestamp');
  keepField(pod.metadata, old.metadata, 'ownerReferences');
  const status = (pod.status ??= {});
  // Old kubelets send statuses without fields that newer servers set.
  if (!status.qosClass && old.status.qosClass) status.qosClass = old.status.qosClass;
  if (!status.observedGeneration && old.status.observedGeneration) {
    status.observedGeneration = old.status.observedGeneration;
  }
  keepConditionGenerations(status, old.status);
}

function keepField(metadata: ObjectMeta, old: ObjectMeta, field: string): void {
  if (old[field] === undefined) delete metadata[field];
  else metadata[field] = old[field];
}

function keepConditionGenerations({ conditions }: PodStatusFields, old: PodStatusFields): void {
  const known = new Map<string, Int64[]>();
  for (const { type, observedGeneration = 0 } of old.conditions ?? []) {
    known.set(type, [...(known.get(type) ?? []), observedGeneration]);
  }
  for (const condition of conditions ?? []) {
    const before = known.get(condition.type)?.shift();
    if (!condition.observedGeneration && before) condition.observedGeneration = before;
  }
}

export function validatePodStatus(pod: PodFields, old: PodFields): FieldError[] {
  const errors: FieldError[] = [];
  const { status } = pod;
  checkAnnotationChanges(errors, 'metadata.annotations', pod.metadata, old.metadata);
  checkAnnotations(errors, 'metadata.annotations', pod.metadata, pod.spec);
  checkConditions(errors, status);
  checkNominatedNode(errors, status, old);
  if (Number(status.observedGeneration ?? 0) < 0) {
    const detail = 'must be a non-negative integer';
    errors.push(invalid('status.observedGeneration', status.observedGeneration, detail));
  }
  if ((status.qosClass ?? '') !== (old.status.qosClass ?? '')) {
    errors.push(invalid('status.qosClass', status.qosClass ?? '', 'field is immutable'));
  }
  checkTransitions(errors, status, old);
  checkClaims(errors, status, pod.spec);
  checkIps(errors, 'status.podIPs', status.podIPs, old.status.podIPs);
  const [first] = status.hostIPs ?? [];
  if (first !== undefined && (status.hostIP ?? '') !== (first.ip ?? '')) {
    errors.push(invalid('status.hostIPs[0].ip', first.ip ?? '', 'must be equal to `hostIP`'));
  }
  checkIps(errors, 'status.hostIPs', status.hostIPs, old.status.hostIPs);
  return errors;
}

const systemConditions = ['PodScheduled', 'Ready', 'Initialized'];

function checkConditions(errors: FieldError[], { conditions }: PodStatusFields): void {
  conditions?.forEach(({ type, observedGeneration }, i) => {
    const at = `status.conditions[${i}]`;
    if (observedGeneration !== undefined && observedGeneration < 0) {
      errors.push(invalid(`${at}.observedGeneration`, observedGeneration, 'must be a non-negative integer'));
    }
    if (!systemConditions.includes(type)) invalidForEach(errors, `${at}.Type`, type, qualifiedNameProblems(type));
  });
}

function checkNominatedNode(errors: FieldError[], { nominatedNodeName }: PodStatusFields, old: PodFields): void {
  if (!nominatedNodeName || nominatedNodeName === old.status.nominatedNodeName) return;
  const field = 'status.nominatedNodeName';
  invalidForEach(errors, field, nominatedNodeName, nameIsDnsSubdomain(nominatedNodeName, false));
  if (old.spec.nodeName) errors.push(forbidden(field, 'may not be set on pods that are already bound to a node'));
}

/** A terminated container that may not restart stays terminated. */
function checkTransitions(errors: FieldError[], status: PodStatusFields, { spec, status: old }: PodFields): void {
  if (!restartsAll(spec)) {
    const containers = byName(spec.containers);
    const initContainers = byName(spec.initContainers);
    checkEnded(errors, 'containerStatuses', status, old, (name, code) => mayRestart(spec, containers.get(name), code));
    checkEnded(errors, 'initContainerStatuses', status, old, (name, code) =>
      mayRestart(spec, initContainers.get(name), code),
    );
  }
  checkEnded(errors, 'ephemeralContainerStatuses', status, old, () => false);
}

function restartsAll(spec: PodSpecFields): boolean {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return containers.some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );
}

function checkEnded(
  errors: FieldError[],
  list: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
  status: PodStatusFields,
  old: PodStatusFields,
  mayRestart: (name: string, exitCode: number) => boolean,
): void {
  const statuses = new Map<string, ContainerStatusFields>();
  for (const one of status[list] ?? []) if (!statuses.has(one.name)) statuses.set(one.name, one);
  old[list]?.forEach(({ name, state }: ContainerStatusFields, i) => {
    if (state?.terminated === undefined) return;
    const now = statuses.get(name);
    if (now === undefined || now.state?.terminated !== undefined || mayRestart(name, state.terminated.exitCode)) return;
    errors.push(forbidden(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state'));
  });
}

function byName(containers: readonly ContainerFields[] | null | undefined): ReadonlyMap<string, ContainerFields> {
  return new Map(containers?.map((container) => [container.name, container]));
}

function mayRestart(spec: PodSpecFields, container: ContainerFields | undefined, exitCode: number): boolean {
  if (container === undefined) return false;
  for (const { exitCodes } of container.restartPolicyRules ?? []) {
    const isListed = exitCodes?.values?.includes(exitCode) ?? false;
    if (exitCodes !== undefined && isListed === (exitCodes.operator === 'In')) return true;
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function checkClaims(errors: FieldError[], { resourceClaimStatuses }: PodStatusFields, spec: PodSpecFields): void {
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name));
  const seen = new Set<string>();
  resourceClaimStatuses?.forEach(({ name, resourceClaimName }, i) => {
    const at = `status.resourceClaimStatuses[${i}]`;
    if (!claims.has(name)) {
      errors.push(invalid(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'));
    }
    if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    seen.add(name);
    if (resourceClaimName === undefined) return;
    const problems = nameIsDnsSubdomain(resourceClaimName, false);
    invalidForEach(errors, `${at}.resourceClaimName`, resourceClaimName, problems);
  });
}

/** At most one address of each family. Unchanged addresses are not validated again. */
function checkIps(
  errors: FieldError[],
  path: string,
  ips: readonly { readonly ip?: string }[] = [],
  old: readonly { readonly ip?: string }[] = [],
): void {
  const before = new Set(old.map(({ ip }) => ip));
  ips.forEach(({ ip = '' }, i) => {
    if (!before.has(ip)) pushAll(errors, validateIpSpelling(`${path}[${i}]`, ip, true));
  });
  if (ips.length < 2) return;
  const broken = ips.findIndex(({ ip = '' }) => familyOf(ip) === undefined);
  if (broken !== -1) {
    const why = `invalid IP[${broken}]: ${ips[broken]?.ip}`;
    errors.push(internalFieldError(path, `failed to check for dual stack with error:${why}`));
  }
  const families = new Set(ips.map(({ ip = '' }) => familyOf(ip)));
  if (broken !== -1 || ips.length > 2 || families.size < 2) {
    const printed = ips.map(({ ip = '' }) => ({ IP: ip })) as JsonObject[];
    errors.push(invalid(path, printed, 'may specify no more than one IP for each IP family'));
  }
}

function familyOf(text: string): 4 | 6 | undefined {
  const ip = parseIp(text);
  if (ip === undefined) return undefined;
  return isV6(ip) ? 6 : 4;
}
