/** Validation of containers: the common part, and that of regular, init and ephemeral ones. */
import {
  duplicate,
  forbidden,
  invalid,
  portNameProblems,
  portNumberProblems,
  notFound,
  required,
  type FieldError,
} from '@flotilla/kube';
import type { ContainerFields, ContainerPortFields } from '../container-fields.ts';
import type { Int64, PodSpecFields } from '../pod-fields.ts';
import type { VolumeFields } from '../volume-fields.ts';
import { checkDnsLabel, checkPullPolicy, checkRequiredChoice, checkSupported, invalidForEach } from './checks.ts';
import { checkEnv, checkEnvFrom } from './env.ts';
import { checkLifecycle, checkProbes } from './probes.ts';
import { checkResources } from './resources.ts';
import { checkInitRestartPolicy, checkResizePolicy, checkRestartPolicy } from './restarts.ts';
import { checkSecurityContext } from './security-context.ts';
import { checkVolumeDevices, checkVolumeMounts } from './volume-mounts.ts';

export interface ContainerContext {
  readonly volumes: ReadonlyMap<string, VolumeFields>;
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriod: Int64 | undefined;
  readonly restartPolicy: string | undefined;
  readonly hostUsers: boolean;
}

export function checkContainers(
  errors: FieldError[],
  path: string,
  spec: PodSpecFields,
  context: ContainerContext,
): void {
  const containers = spec.containers ?? [];
  if (containers.length === 0) return void errors.push(required(path));
  const names = new Set<string>();
  containers.forEach((container, i) => {
    const at = `${path}[${i}]`;
    checkShared(errors, at, container, context);
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    if (container.lifecycle !== undefined) {
      checkLifecycle(errors, `${at}.lifecycle`, container.lifecycle, context.gracePeriod);
    }
    checkProbes(errors, at, container);
    checkRestartPolicy(errors, at, container);
  });
  checkHostPortConflicts(errors, path, containers);
}

export function checkInitContainers(
  errors: FieldError[],
  path: string,
  spec: PodSpecFields,
  context: ContainerContext,
): void {
  if (spec.initContainers === undefined) return;
  const names = new Set(spec.containers?.map(({ name }) => name));
  spec.initContainers.forEach((container, i) => {
    const at = `${path}[${i}]`;
    checkShared(errors, at, container, context);
    checkInitRestartPolicy(errors, at, container);
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    else if (container.name) names.add(container.name);
    // Init containers run one after another, so each can only conflict with itself. The path is that of a first
    // container.
    checkHostPortConflicts(errors, path, [container]);
    if (isSidecar(container)) {
      if (container.lifecycle !== undefined) {
        checkLifecycle(errors, `${at}.lifecycle`, container.lifecycle, context.gracePeriod);
      }
      checkProbes(errors, at, container);
    } else checkNoSidecarFields(errors, at, container);
  });
}

/** An init container that keeps running beside the others. */
export function isSidecar({ restartPolicy }: ContainerFields): boolean {
  return restartPolicy === 'Always';
}

const sidecarFields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function checkNoSidecarFields(errors: FieldError[], path: string, container: ContainerFields): void {
  for (const field of sidecarFields) {
    if (container[field] === undefined) continue;
    errors.push(forbidden(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always'));
  }
  container.resizePolicy?.forEach(({ restartPolicy }, i) => {
    if (restartPolicy !== 'RestartContainer') return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    errors.push(invalid(`${path}.resizePolicy[${i}].restartPolicy`, restartPolicy, detail));
  });
}

const notForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

export function checkEphemeralContainers(
  errors: FieldError[],
  path: string,
  spec: PodSpecFields,
  context: ContainerContext,
): void {
  if (spec.ephemeralContainers === undefined) return;
  const targets = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(targets);
  spec.ephemeralContainers.forEach((container, i) => {
    const at = `${path}[${i}]`;
    const { name, targetContainerName } = container;
    checkShared(errors, at, container, context);
    checkImageSpace(errors, at, container);
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (targetContainerName && !targets.has(targetContainerName)) {
      errors.push(notFound(`${at}.targetContainerName`, targetContainerName));
    }
    checkDebugFields(errors, at, container);
  });
}

/** An ephemeral container is for debugging: it must not have ports, probes, resources and the like. */
function checkDebugFields(errors: FieldError[], path: string, container: ContainerFields): void {
  const cannot = 'cannot be set for an Ephemeral Container';
  for (const field of notForEphemeral) {
    const value = container[field];
    const isEmpty = value === undefined || (field === 'resources' && Object.keys(value as object).length === 0);
    if (!isEmpty) errors.push(forbidden(`${path}.${field}`, cannot));
  }
  container.volumeMounts?.forEach(({ subPath, subPathExpr }, i) => {
    if (subPath) errors.push(forbidden(`${path}.volumeMounts[${i}].subPath`, cannot));
    if (subPathExpr) errors.push(forbidden(`${path}.volumeMounts[${i}].subPathExpr`, cannot));
  });
}

/** Only for pods: templates may have spaces there for compatibility. */
export function checkImageSpace(errors: FieldError[], path: string, { image = '' }: ContainerFields): void {
  if (image.trim() !== image) {
    errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  }
}

const messagePolicies = ['File', 'FallbackToLogsOnError'];

function checkShared(errors: FieldError[], path: string, container: ContainerFields, context: ContainerContext): void {
  if (!container.name) errors.push(required(`${path}.name`));
  else checkDnsLabel(errors, `${path}.name`, container.name);
  if (!container.image) errors.push(required(`${path}.image`));
  checkRequiredChoice(errors, `${path}.terminationMessagePolicy`, container.terminationMessagePolicy, messagePolicies);
  if (container.ports !== undefined) checkPorts(errors, `${path}.ports`, container.ports);
  if (container.env !== undefined) checkEnv(errors, `${path}.env`, container.env);
  if (container.envFrom !== undefined) checkEnvFrom(errors, `${path}.envFrom`, container.envFrom);
  if (container.volumeMounts !== undefined) {
    checkVolumeMounts(errors, `${path}.volumeMounts`, container, context.volumes);
  }
  if (container.volumeDevices !== undefined) {
    checkVolumeDevices(errors, `${path}.volumeDevices`, container, context.volumes);
  }
  checkPullPolicy(errors, `${path}.imagePullPolicy`, container.imagePullPolicy);
  checkResources(errors, `${path}.resources`, container.resources, context.claimNames);
  checkResizePolicy(errors, `${path}.resizePolicy`, container.resizePolicy ?? [], context.restartPolicy);
  checkSecurityContext(errors, `${path}.securityContext`, container.securityContext, context.hostUsers);
}

const protocols = ['SCTP', 'TCP', 'UDP'];

function checkPorts(errors: FieldError[], path: string, ports: readonly ContainerPortFields[]): void {
  const names = new Set<string>();
  ports.forEach(({ name, containerPort, hostPort, protocol }, i) => {
    const at = `${path}[${i}]`;
    if (name) checkPortName(errors, `${at}.name`, name, names);
    if (!containerPort) errors.push(required(`${at}.containerPort`));
    else invalidForEach(errors, `${at}.containerPort`, containerPort, portNumberProblems(containerPort));
    if (hostPort) invalidForEach(errors, `${at}.hostPort`, hostPort, portNumberProblems(hostPort));
    if (!protocol) errors.push(required(`${at}.protocol`));
    else checkSupported(errors, `${at}.protocol`, protocol, protocols);
  });
}

function checkPortName(errors: FieldError[], path: string, name: string, names: Set<string>): void {
  const problems = portNameProblems(name);
  if (problems.length > 0) invalidForEach(errors, path, name, problems);
  else if (names.has(name)) errors.push(duplicate(path, name));
  else names.add(name);
}

function checkHostPortConflicts(errors: FieldError[], path: string, containers: readonly ContainerFields[]): void {
  const taken = new Set<string>();
  containers.forEach(({ ports }, i) => {
    ports?.forEach(({ hostPort, protocol, hostIP }, j) => {
      if (!hostPort) return;
      const key = `${protocol ?? ''}/${hostIP ?? ''}/${hostPort}`;
      if (taken.has(key)) errors.push(duplicate(`${path}[${i}].ports[${j}].hostPort`, key));
      taken.add(key);
    });
  });
}
