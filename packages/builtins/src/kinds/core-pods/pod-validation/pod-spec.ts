import {
  dns1123SubdomainProblems,
  duplicate,
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  pushAll,
  qualifiedNameProblems,
  required,
  tooLong,
  validateLabels,
  type FieldError,
} from '@flotilla/kube';
import { invalidInternal } from '../internal/internal-form.ts';
import { visitContainers, type PodResourceClaimFields, type PodSpecFields } from '../pod-fields.ts';
import { checkPodResources } from '../pod-level-resources.ts';
import type { VolumeFields } from '../volume-fields.ts';
import { checkAffinity } from './affinity.ts';
import { checkDnsLabel, checkRequiredChoice, checkSupported, invalidForEach } from './checks.ts';
import { checkContainers, checkEphemeralContainers, checkInitContainers, type ContainerContext } from './containers.ts';
import { checkDnsConfig, checkHostAliases } from './dns-config.ts';
import { checkFileKeyVolumes } from './env.ts';
import { checkOperatingSystem } from './operating-system.ts';
import { checkResources } from './resources.ts';
import { checkPodRestartPolicy } from './restarts.ts';
import { checkPodSecurityContext } from './security-context.ts';
import { checkTolerations } from './tolerations.ts';
import { checkTopologySpread } from './topology-spread.ts';
import { checkVolumes } from './volumes.ts';
import { checkHostProcesses } from './windows-options.ts';

interface PodSpecOwner {
  readonly isPod: boolean;
  /** Known for pods only. */
  readonly name?: string;
  readonly isMirror?: boolean;
}

export const templateOwner: PodSpecOwner = { isPod: false };

const noVolumes: ReadonlyMap<string, VolumeFields> = new Map();
const noNames: ReadonlySet<string> = new Set();

export function checkPodSpec(errors: FieldError[], path: string, spec: PodSpecFields, owner: PodSpecOwner): void {
  const { volumes, resourceClaims, terminationGracePeriodSeconds } = spec;
  if (terminationGracePeriodSeconds === undefined) errors.push(required(`${path}.terminationGracePeriodSeconds`));
  const context: ContainerContext = {
    volumes: volumes
      ? checkVolumes(errors, `${path}.volumes`, volumes, { isPod: owner.isPod, podName: owner.name })
      : noVolumes,
    claimNames: resourceClaims ? checkResourceClaims(errors, `${path}.resourceClaims`, resourceClaims, owner) : noNames,
    gracePeriod: terminationGracePeriodSeconds,
    restartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers ?? true,
  };
  checkContainers(errors, `${path}.containers`, spec, context);
  checkInitContainers(errors, `${path}.initContainers`, spec, context);
  checkEphemeralContainers(errors, `${path}.ephemeralContainers`, spec, context);
  checkPodResources(errors, path, spec, context.claimNames);
  checkHostPorts(errors, path, spec, owner);
  checkPodRestartPolicy(errors, `${path}.restartPolicy`, spec.restartPolicy);
  checkRequiredChoice(errors, `${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies);
  pushAll(errors, validateLabels(spec.nodeSelector, `${path}.nodeSelector`));
  checkPodSecurityContext(errors, path, spec);
  checkScheduling(errors, path, spec);
  checkHost(errors, path, spec);
  checkNames(errors, path, spec);
  checkRest(errors, path, spec);
}

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Returns the names of the pod's claims, for its containers. */
function checkResourceClaims(
  errors: FieldError[],
  path: string,
  claims: readonly PodResourceClaimFields[],
  owner: PodSpecOwner,
): ReadonlySet<string> {
  const seen = new Set<string>();
  claims.forEach((claim, i) => {
    if (owner.isMirror === true) errors.push(forbidden('', 'static pods do not support resource claims'));
    else checkResourceClaim(errors, `${path}[${i}]`, claim, seen);
  });
  return new Set(claims.map(({ name }) => name).filter(Boolean));
}

function checkResourceClaim(
  errors: FieldError[],
  path: string,
  claim: PodResourceClaimFields,
  seen: Set<string>,
): void {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim;
  if (!name) errors.push(required(`${path}.name`));
  else if (seen.has(name)) errors.push(duplicate(`${path}.name`, name));
  else checkDnsLabel(errors, `${path}.name`, name);
  if (name) seen.add(name);
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    errors.push(invalidInternal(path, 'PodResourceClaim', claim, detail));
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    errors.push(invalidInternal(path, 'PodResourceClaim', claim, detail));
  }
  checkName(errors, `${path}.resourceClaimName`, resourceClaimName);
  checkName(errors, `${path}.resourceClaimTemplateName`, resourceClaimTemplateName);
}

function checkName(errors: FieldError[], path: string, name: string | undefined): void {
  if (name !== undefined) invalidForEach(errors, path, name, nameIsDnsSubdomain(name, false));
}

/** With the host's network, the ports of a pod are those of the host. Templates may leave them unset. */
function checkHostPorts(errors: FieldError[], path: string, spec: PodSpecFields, { isPod }: PodSpecOwner): void {
  if (spec.hostNetwork !== true) return;
  spec.containers?.forEach(({ ports }, i) => {
    ports?.forEach(({ hostPort = 0, containerPort }, j) => {
      if (hostPort === containerPort || (hostPort === 0 && !isPod)) return;
      const field = `${path}.containers[${i}].ports[${j}].hostPort`;
      errors.push(invalid(field, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    });
  });
}

function checkScheduling(errors: FieldError[], path: string, spec: PodSpecFields): void {
  if (spec.affinity !== undefined) checkAffinity(errors, `${path}.affinity`, spec.affinity);
  checkDnsConfig(errors, `${path}.dnsConfig`, spec);
  spec.readinessGates?.forEach(({ conditionType }, i) => {
    invalidForEach(
      errors,
      `${path}.readinessGates[${i}].conditionType`,
      conditionType,
      qualifiedNameProblems(conditionType),
    );
  });
  if (spec.schedulingGates !== undefined) checkGates(errors, `${path}.schedulingGates`, spec.schedulingGates);
  if (spec.topologySpreadConstraints !== undefined) {
    checkTopologySpread(errors, `${path}.topologySpreadConstraints`, spec.topologySpreadConstraints);
  }
}

function checkGates(errors: FieldError[], path: string, gates: readonly { readonly name: string }[]): void {
  const seen = new Set<string>();
  gates.forEach(({ name }, i) => {
    invalidForEach(errors, `${path}[${i}]`, name, qualifiedNameProblems(name));
    if (seen.has(name)) errors.push(duplicate(`${path}[${i}]`, name));
    seen.add(name);
  });
}

function checkHost(errors: FieldError[], path: string, spec: PodSpecFields): void {
  checkHostProcesses(errors, path, spec);
  if (spec.hostUsers === false) checkUserNamespace(errors, path, spec);
  if (spec.hostnameOverride !== undefined) checkHostnameOverride(errors, `${path}.hostnameOverride`, spec);
}

/** A user namespace excludes the host's other namespaces. */
function checkUserNamespace(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork === true) errors.push(forbidden(`${path}.hostNetwork`, detail));
  if (spec.hostPID === true) errors.push(forbidden(`${path}.HostPID`, detail));
  if (spec.hostIPC === true) errors.push(forbidden(`${path}.HostIPC`, detail));
  visitContainers(spec, path, ({ volumeDevices }, at) => {
    if (volumeDevices?.length) errors.push(forbidden(`${at}.volumeDevices`, detail));
  });
}

const maxHostnameLength = 64;

function checkHostnameOverride(errors: FieldError[], path: string, spec: PodSpecFields): void {
  const name = spec.hostnameOverride ?? '';
  if (spec.setHostnameAsFQDN === true) {
    errors.push(forbidden(path, 'may not be specified when setHostnameAsFQDN is true'));
  }
  if (spec.hostNetwork === true) errors.push(forbidden(path, 'may not be specified when hostNetwork is true'));
  if (name.length > maxHostnameLength) errors.push(tooLong(path, maxHostnameLength));
  invalidForEach(errors, path, name, dns1123SubdomainProblems(name));
}

const maxInt32 = 2 ** 31 - 1;

function checkNames(errors: FieldError[], path: string, spec: PodSpecFields): void {
  if (spec.serviceAccountName) checkName(errors, `${path}.serviceAccountName`, spec.serviceAccountName);
  if (spec.nodeName) checkName(errors, `${path}.nodeName`, spec.nodeName);
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    const detail = `must be between 1 and ${maxInt32}, inclusive`;
    errors.push(invalid(`${path}.activeDeadlineSeconds`, deadline, detail));
  }
  if (spec.hostname) checkDnsLabel(errors, `${path}.hostname`, spec.hostname);
  if (spec.subdomain) checkDnsLabel(errors, `${path}.subdomain`, spec.subdomain);
}

function checkRest(errors: FieldError[], path: string, spec: PodSpecFields): void {
  if (spec.tolerations !== undefined) checkTolerations(errors, `${path}.tolerations`, spec.tolerations);
  if (spec.hostAliases !== undefined) checkHostAliases(errors, `${path}.hostAliases`, spec.hostAliases);
  if (spec.priorityClassName) checkName(errors, `${path}.priorityClassName`, spec.priorityClassName);
  checkName(errors, `${path}.runtimeClassName`, spec.runtimeClassName);
  if (spec.preemptionPolicy === '') errors.push(required(`${path}.preemptionPolicy`));
  else if (spec.preemptionPolicy !== undefined) {
    checkSupported(errors, `${path}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']);
  }
  if (spec.overhead !== undefined) checkResources(errors, `${path}.overhead`, { limits: spec.overhead });
  checkOperatingSystem(errors, path, spec);
  checkFileKeyVolumes(errors, path, spec);
}
