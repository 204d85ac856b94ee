/** What the server sets in a new pod before it validates it. */
import type { LabelSelectorObject } from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import { dropGatedFields } from './gated-fields.ts';
import { setPodCondition } from './pod-life.ts';
import type { PodAffinityTermFields, PodFields } from './pod-fields.ts';
import { qosClassOf } from './pod-qos.ts';
import { annotationOf, appArmorField, appArmorPrefix } from './security-profiles.ts';
import { semanticEqual } from '../semantic-equal.ts';

export function prepareNewPod(pod: PodFields, now: Date): void {
  pod.metadata.generation = 1;
  pod.status = { phase: 'Pending', qosClass: qosClassOf(pod) };
  dropGatedFields(pod.spec);
  if (pod.spec.schedulingGates?.length) addGatedCondition(pod, now);
  mergeLabelKeys(pod);
  for (const container of allContainers(pod)) adoptAppArmorAnnotation(container, pod);
}

function allContainers({ spec }: PodFields): readonly ContainerFields[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

function addGatedCondition(pod: PodFields, now: Date): void {
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  setPodCondition(pod, { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message }, now);
}

/** Label keys stand for the pod's own values, which become requirements of the selector. */
function mergeLabelKeys({ metadata, spec }: PodFields): void {
  const labels = metadata.labels ?? {};
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const { podAffinityTerm } of preferred) mergeTermKeys(podAffinityTerm, labels);
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const term of required) mergeTermKeys(term, labels);
  }
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
    addRequirements(labelSelector, matchLabelKeys, 'In', labels);
  }
}

function mergeTermKeys(term: PodAffinityTermFields, labels: Readonly<Record<string, string>>): void {
  addRequirements(term.labelSelector, term.matchLabelKeys, 'In', labels);
  addRequirements(term.labelSelector, term.mismatchLabelKeys, 'NotIn', labels);
}

function addRequirements(
  selector: LabelSelectorObject | undefined,
  keys: readonly string[] | undefined,
  operator: string,
  labels: Readonly<Record<string, string>>,
): void {
  if (selector === undefined) return;
  for (const key of keys ?? []) {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (value !== undefined) (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
  }
}

/** Copies a legacy AppArmor annotation into the field that replaced it, unless the pod's field has the same value. */
function adoptAppArmorAnnotation(container: ContainerFields, { metadata, spec }: PodFields): void {
  if (spec.os?.name === 'windows' || container.securityContext?.appArmorProfile !== undefined) return;
  const profile = appArmorField(annotationOf(metadata, appArmorPrefix + container.name) ?? '');
  if (profile === undefined || semanticEqual(profile, spec.securityContext?.appArmorProfile)) return;
  (container.securityContext ??= {}).appArmorProfile = profile;
}
