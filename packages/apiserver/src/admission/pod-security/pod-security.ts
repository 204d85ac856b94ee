import type { PodFields, PodTemplateFields } from '@flotilla/builtins';
import { apiErrors, onceFor, pushAll, type KubeObject } from '@flotilla/kube';
import { internalKind } from '../../resources/internal-type.ts';
import type { Admission, Admitted, Attributes } from '../admission.ts';
import type { PodLike } from './check.ts';
import { formatDetails, violationsOf } from './evaluate.ts';
import { existingPodWarnings } from './existing-pods.ts';
import { formatStandard, isSame, isStricter, policyOf, type Policy, type Standard } from './policy.ts';

/** Enforces the standard in the labels of the namespace on pods. Workloads only get warnings about their pod template. */
export const podSecurity: Admission = {
  name: 'PodSecurity',
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    if (attributes.operation !== 'CREATE' && attributes.operation !== 'UPDATE') return;
    const { collection } = attributes.resource;
    if (collection === 'pods') checkPod(attributes);
    else if (collection === 'namespaces') return checkNamespace(attributes);
    else checkWorkload(attributes, templates.get(collection));
  },
};

const prefix = 'pod-security.kubernetes.io/';

const ofSpec = (object: KubeObject): unknown => (object['spec'] as { template?: unknown } | undefined)?.template;

interface CronJobFields {
  readonly jobTemplate?: { readonly spec?: { readonly template?: unknown } };
}

/** The pod template of each workload kind. */
const templates: ReadonlyMap<string, (object: KubeObject) => unknown> = new Map([
  ['podtemplates', (object) => object['template']],
  ['replicationcontrollers', ofSpec],
  ['replicasets.apps', ofSpec],
  ['deployments.apps', ofSpec],
  ['statefulsets.apps', ofSpec],
  ['daemonsets.apps', ofSpec],
  ['jobs.batch', ofSpec],
  ['cronjobs.batch', (object) => (object['spec'] as CronJobFields | undefined)?.jobTemplate?.spec?.template],
]);

/** Labels are in the header of the entry, so nothing is parsed. */
function namespacePolicy({ server, namespace }: Attributes): Policy {
  const labels = server.store.newest({ collection: 'namespaces', name: namespace })?.header.labels;
  return labels === undefined ? policyOf(labels).policy : policyOfStored(labels);
}

const policyOfStored = onceFor((labels: Readonly<Record<string, string>>) => policyOf(labels).policy);

/** Subresources whose object is a whole pod. */
const podParts: ReadonlySet<string> = new Set(['', 'ephemeralcontainers', 'resize']);

function checkPod(attributes: Attributes): void {
  const { subresource, resource, object, oldObject } = attributes;
  if (!podParts.has(subresource)) return;
  const { enforce, warn, audit } = namespacePolicy(attributes);
  const isPrivileged = enforce.level === 'privileged' && warn.level === 'privileged';
  if (isPrivileged && attributes.audit === undefined) return;
  const pod = object as PodFields;
  if (oldObject && !runsOtherImages(pod, oldObject as PodFields)) return;
  attributes.audit?.annotate(`${prefix}enforce-policy`, formatStandard(enforce));
  const violations = violationsOf(enforce, pod);
  if (violations.length > 0) {
    const why = `violates PodSecurity "${formatStandard(enforce)}": ${formatDetails(violations)}`;
    throw apiErrors.forbidden({ resource: resource.plural, group: '' }, pod.metadata.name ?? '', why);
  }
  auditViolations(attributes, audit, pod);
  warnOf(attributes, warn, pod);
}

/** For a level that is only recorded. */
function auditViolations({ audit: record }: Attributes, standard: Standard, pod: PodLike): void {
  if (record === undefined || standard.level === 'privileged') return;
  const violations = violationsOf(standard, pod);
  if (violations.length === 0) return;
  const text = `would violate PodSecurity "${formatStandard(standard)}": ${formatDetails(violations)}`;
  record.annotate(`${prefix}audit-violations`, text);
}

/** Of all fields of a pod that may change, only images and new containers can violate a rule. */
function runsOtherImages({ spec }: PodFields, { spec: old }: PodFields): boolean {
  for (const field of ['containers', 'initContainers'] as const) {
    const before = old[field] ?? [];
    const now = spec[field] ?? [];
    if (now.length !== before.length || now.some(({ image }, at) => image !== before[at]?.image)) return true;
  }
  const known = new Map((old.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  return (spec.ephemeralContainers ?? []).some(({ name, image }) => !known.has(name) || known.get(name) !== image);
}

function checkWorkload(attributes: Attributes, templateOf: ((object: KubeObject) => unknown) | undefined): void {
  const { subresource, object } = attributes;
  if (templateOf === undefined || subresource !== '' || object === undefined) return;
  const { warn, audit } = namespacePolicy(attributes);
  const isRecorded = attributes.audit !== undefined && audit.level !== 'privileged';
  if (warn.level === 'privileged' && !isRecorded) return;
  const template = templateOf(object) as PodTemplateFields | undefined;
  if (!template) return;
  const pod = { metadata: template.metadata ?? {}, spec: template.spec };
  auditViolations(attributes, audit, pod);
  warnOf(attributes, warn, pod);
}

function warnOf({ warnings }: Attributes, standard: Standard, pod: PodLike): void {
  const violations = violationsOf(standard, pod);
  if (violations.length === 0) return;
  warnings.push(`would violate PodSecurity "${formatStandard(standard)}": ${formatDetails(violations)}`);
}

/** Refuses invalid labels. A stricter level causes a warning about the existing pods that violate it. */
function checkNamespace({ subresource, resource, object, oldObject, server, warnings }: Attributes): Admitted {
  if (subresource !== '' || !object) return;
  const { policy, errors } = policyOf(object.metadata.labels);
  const old = oldObject && policyOf(oldObject.metadata.labels);
  const hasNewErrors = JSON.stringify(errors) !== JSON.stringify(old?.errors ?? []);
  const { name = '' } = object.metadata;
  if (errors.length > 0 && hasNewErrors) throw apiErrors.invalid(internalKind(resource), name, errors);
  if (!old || !isStricterThan(policy.enforce, old.policy.enforce)) return;
  return existingPodWarnings(server, name, policy.enforce).then((found) => pushAll(warnings, found));
}

function isStricterThan(standard: Standard, before: Standard): boolean {
  if (standard.level === 'privileged' || isSame(standard, before)) return false;
  return standard.minor !== before.minor || isStricter(standard.level, before.level);
}
