/** Warnings about valid but surprising settings in pods and templates. */
import { labelValueProblems, pushAll, quote, warningsForIp, type ObjectMeta } from '@flotilla/kube';
import { deprecatedNodeLabels } from '../field-checks.ts';
import type { ContainerFields, ContainerPortFields } from './container-fields.ts';
import {
  visitContainers,
  type AffinityFields,
  type NodeSelectorTermFields,
  type PodSpecFields,
  type PodTemplateFields,
} from './pod-fields.ts';
import { fractionWarnings, overlapWarnings, volumeWarnings } from './volume-warnings.ts';
import {
  annotationOf,
  appArmorField,
  appArmorPrefix,
  seccompContainerPrefix,
  seccompPodAnnotation,
} from './security-profiles.ts';
import { semanticEqual } from '../semantic-equal.ts';

const deprecatedAnnotations: readonly (readonly [key: string, message: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

export function podWarnings(metadata: ObjectMeta, spec: PodSpecFields): string[] {
  return warningsFor('', metadata, spec);
}

/** `path`: that of the template, such as `spec.template`. */
export function templateWarnings(path: string, template: PodTemplateFields | undefined): string[] {
  return template === undefined ? [] : warningsFor(`${path}.`, template.metadata ?? {}, template.spec);
}

function warningsFor(prefix: string, metadata: ObjectMeta, spec: PodSpecFields): string[] {
  const path = `${prefix}spec`;
  const warnings = [...nodeLabelWarnings(path, spec), ...spreadWarnings(path, spec)];
  for (const [key, message] of deprecatedAnnotations) {
    if (annotationOf(metadata, key) !== undefined) warnings.push(`${prefix}metadata.annotations[${key}]: ${message}`);
  }
  pushAll(warnings, volumeWarnings(`${path}.volumes`, spec.volumes));
  pushAll(warnings, overlapWarnings(spec.volumes));
  pushAll(warnings, referenceWarnings(path, spec));
  pushAll(warnings, fractionWarnings(`${path}.overhead`, spec.overhead, ['memory', 'ephemeral-storage']));
  pushAll(warnings, podSeccompWarnings(prefix, metadata, spec));
  visitContainers(spec, path, (container, at) => {
    pushAll(warnings, containerWarnings(prefix, at, container, metadata, spec));
  });
  pushAll(warnings, portWarnings(path, spec));
  pushAll(warnings, portNameWarnings(path, spec));
  if (Number(spec.terminationGracePeriodSeconds) < 0) {
    const detail = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${path}.terminationGracePeriodSeconds: ${detail}`);
  }
  pushAll(warnings, affinityWarnings(`${path}.affinity`, spec.affinity));
  spec.dnsConfig?.nameservers?.forEach((address, i) => {
    pushAll(warnings, warningsForIp(`${path}.dnsConfig.nameservers[${i}]`, address));
  });
  spec.hostAliases?.forEach(({ ip }, i) => pushAll(warnings, warningsForIp(`${path}.hostAliases[${i}].ip`, ip)));
  return warnings;
}

function nodeLabelWarnings(path: string, { nodeSelector, affinity }: PodSpecFields): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(nodeSelector ?? {})) {
    const message = deprecatedNodeLabels.get(key);
    if (message !== undefined) warnings.push(`${path}.nodeSelector[${key}]: ${message}`);
  }
  const node = affinity?.nodeAffinity;
  const at = `${path}.affinity.nodeAffinity`;
  node?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.forEach((term, i) => {
    const field = `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${i}]`;
    pushAll(warnings, termWarnings(field, term, false));
  });
  node?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ preference }, i) => {
    const field = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].preference`;
    pushAll(warnings, termWarnings(field, preference, true));
  });
  return warnings;
}

function termWarnings(path: string, { matchExpressions }: NodeSelectorTermFields, withValues: boolean): string[] {
  return (matchExpressions ?? []).flatMap(({ key, values }, i) => {
    const at = `${path}.matchExpressions[${i}]`;
    const message = deprecatedNodeLabels.get(key);
    const ofKey = message === undefined ? [] : [`${at}.key: ${key} is ${message}`];
    if (!withValues) return ofKey;
    const ofValues = (values ?? []).flatMap((value, j) =>
      labelValueProblems(value).map((detail) => `${at}.values[${j}]: ${value} is invalid, ${detail}`),
    );
    return [...ofKey, ...ofValues];
  });
}

const matchesNothing = 'a null labelSelector results in matching no pod';

function spreadWarnings(path: string, { topologySpreadConstraints }: PodSpecFields): string[] {
  return (topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, i) => {
    const at = `${path}.topologySpreadConstraints[${i}]`;
    const message = deprecatedNodeLabels.get(topologyKey);
    return [
      ...(message === undefined ? [] : [`${at}.topologyKey: ${topologyKey} is ${message}`]),
      ...(labelSelector === undefined ? [`${at}.labelSelector: ${matchesNothing}`] : []),
    ];
  });
}

function affinityWarnings(path: string, affinity: AffinityFields = {}): string[] {
  const warnings: string[] = [];
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const at = `${path}.${kind}`;
    affinity[kind]?.requiredDuringSchedulingIgnoredDuringExecution?.forEach(({ labelSelector }, i) => {
      if (labelSelector !== undefined) return;
      warnings.push(`${at}.requiredDuringSchedulingIgnoredDuringExecution[${i}].labelSelector: ${matchesNothing}`);
    });
    affinity[kind]?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ podAffinityTerm }, i) => {
      if (podAffinityTerm.labelSelector !== undefined) return;
      const field = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${i}].podAffinityTerm.labelSelector`;
      warnings.push(`${field}: ${matchesNothing}`);
    });
  }
  return warnings;
}

/** Duplicate host aliases and secrets, and secrets without a name. */
function referenceWarnings(path: string, { hostAliases = [], imagePullSecrets = [] }: PodSpecFields): string[] {
  const warnings = [
    ...duplicates(hostAliases.map(({ ip }) => ip)).map(([i, ip]) => {
      return `${path}.hostAliases[${i}].ip: duplicate ip ${quote(ip)}`;
    }),
    ...duplicates(imagePullSecrets.map(({ name = '' }) => name)).map(([i, name]) => {
      return `${path}.imagePullSecrets[${i}].name: duplicate name ${quote(name)}`;
    }),
  ];
  imagePullSecrets.forEach(({ name }, i) => {
    if (!name) warnings.push(`${path}.imagePullSecrets[${i}].name: invalid empty name ""`);
  });
  return warnings;
}

function duplicates(values: readonly string[]): readonly (readonly [index: number, value: string])[] {
  if (values.length < 2) return [];
  const seen = new Set<string>();
  return [...values.entries()].filter(([, value]) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
  });
}

const seccompMessage = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podSeccompWarnings(prefix: string, metadata: ObjectMeta, { securityContext }: PodSpecFields): string[] {
  const isDead =
    securityContext?.seccompProfile === undefined && annotationOf(metadata, seccompPodAnnotation) !== undefined;
  return isDead ? [`${prefix}metadata.annotations[${seccompPodAnnotation}]: ${seccompMessage}`] : [];
}

function containerWarnings(
  prefix: string,
  path: string,
  container: ContainerFields,
  metadata: ObjectMeta,
  spec: PodSpecFields,
): string[] {
  const { name, securityContext, resources, env = [] } = container;
  const warnings: string[] = [];
  const seccompKey = seccompContainerPrefix + name;
  if (securityContext?.seccompProfile === undefined && annotationOf(metadata, seccompKey) !== undefined) {
    warnings.push(`${prefix}metadata.annotations[${seccompKey}]: ${seccompMessage}`);
  }
  if (prefix !== '' && hasLoneAppArmor(container, metadata, spec)) warnings.push(appArmorWarning(prefix, name));
  for (const resource of ['memory', 'ephemeral-storage']) {
    pushAll(warnings, fractionWarnings(`${path}.resources.limits`, resources?.limits, [resource]));
    pushAll(warnings, fractionWarnings(`${path}.resources.requests`, resources?.requests, [resource]));
  }
  for (const [i, variable] of duplicates(env.map((one) => one.name))) {
    const { value = '', valueFrom } = env[i] ?? {};
    const reference = `$(${variable})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) continue;
    const detail = `hides previous definition of ${quote(variable)}, which may be dropped when using apply`;
    warnings.push(`${path}.env[${i}]: ${detail}`);
  }
  return warnings;
}

/** The server has already copied the annotation into the container's field. */
export function movedAppArmorWarnings(metadata: ObjectMeta, spec: PodSpecFields): string[] {
  const warnings: string[] = [];
  visitContainers(spec, 'spec', ({ name, securityContext }) => {
    const annotation = annotationOf(metadata, appArmorPrefix + name);
    const own = securityContext?.appArmorProfile;
    if (annotation === undefined || own === undefined) return;
    if (semanticEqual(own, appArmorField(annotation))) warnings.push(appArmorWarning('', name));
  });
  return warnings;
}

/** A template keeps the annotation. There is no warning if the pod's own field has the same value. */
function hasLoneAppArmor(
  { name, securityContext }: ContainerFields,
  metadata: ObjectMeta,
  spec: PodSpecFields,
): boolean {
  const annotation = annotationOf(metadata, appArmorPrefix + name);
  if (annotation === undefined || securityContext?.appArmorProfile !== undefined) return false;
  const ofPod = spec.securityContext?.appArmorProfile;
  return ofPod === undefined || !semanticEqual(ofPod, appArmorField(annotation));
}

function appArmorWarning(prefix: string, container: string | undefined): string {
  const key = `${prefix}metadata.annotations[${appArmorPrefix}${container}]`;
  return `${key}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

/** `{Name:web HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}`, as Go prints a struct. */
function portText({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: ContainerPortFields): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

/** Comparing ports is quadratic, and more ports than this would only add unread warnings. */
const maxCompared = 100;

function portWarnings(path: string, spec: PodSpecFields): string[] {
  const warnings: string[] = [];
  const known = new Map<string, { readonly field: string; readonly port: ContainerPortFields }[]>();
  visitContainers(spec, path, ({ ports }, at) => {
    ports?.forEach((port, i) => {
      const field = `${at}.ports[${i}]`;
      if (port.hostIP && !port.hostPort) warnings.push(`${field}: hostIP set without hostPort: ${portText(port)}`);
      const key = `${port.containerPort}/${port.protocol}`;
      const others = known.get(key) ?? [];
      if (others.length >= maxCompared) return;
      for (const other of others) {
        const what = conflictOf(port, other.port);
        if (what !== undefined) warnings.push(`${field}: ${what} port definition with ${other.field}`);
      }
      others.push({ field, port });
      known.set(key, others);
    });
  });
  return warnings;
}

function conflictOf(port: ContainerPortFields, other: ContainerPortFields): string | undefined {
  const { hostIP = '', hostPort = 0 } = port;
  const { hostIP: otherIP = '', hostPort: otherPort = 0 } = other;
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined;
}

function portNameWarnings(path: string, spec: PodSpecFields): string[] {
  const warnings: string[] = [];
  const known = new Map<string, string>();
  visitContainers(spec, path, ({ ports }, at) => {
    ports?.forEach(({ name }, i) => {
      if (!name) return;
      const field = `${at}.ports[${i}]`;
      const first = known.get(name);
      if (first === undefined) return void known.set(name, field);
      const effect = `services and probes that select ports by name will use ${first}`;
      warnings.push(`${field}: duplicate port name ${quote(name)} with ${first}, ${effect}`);
    });
  });
  return warnings;
}
