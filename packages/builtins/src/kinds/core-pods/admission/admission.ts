/** The admission plugins for pods that are on by default. The server runs these between defaults and validation. */
import type { JsonObject } from '@flotilla/kube';
import type { PodFields, TolerationFields } from '../pod-fields.ts';

const tolerationSeconds = 300;

/** By default, a pod stays five minutes on a node that is not ready or unreachable. */
export function addDefaultTolerations({ spec }: PodFields): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    if (spec.tolerations?.some((toleration) => tolerates(toleration, key))) continue;
    (spec.tolerations ??= []).push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds });
  }
}

function tolerates({ key, effect }: TolerationFields, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}

export interface PriorityClassFields extends JsonObject {
  metadata: { name?: string };
  value: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

/** Finds a class by its name, or the default class. */
export interface PriorityClasses {
  readonly named: (name: string) => PriorityClassFields | undefined;
  readonly byDefault: () => PriorityClassFields | undefined;
}

/** Sets the priority of a new pod. Returns the reason if the pod is forbidden. */
export function resolvePriority({ spec }: PodFields, classes: PriorityClasses): string | undefined {
  const name = spec.priorityClassName;
  const chosen = name ? classes.named(name) : classes.byDefault();
  if (name && chosen === undefined) return `no PriorityClass with name ${name} was found`;
  const priority = chosen?.value ?? 0;
  const policy = chosen === undefined ? 'PreemptLowerPriority' : chosen.preemptionPolicy;
  const computed = 'priority admission controller computed';
  if (chosen?.metadata.name) spec.priorityClassName = chosen.metadata.name;
  if (spec.priority !== undefined && spec.priority !== priority) {
    const refusal = `the integer value of priority (${spec.priority}) must not be provided in pod spec`;
    return `${refusal}; ${computed} ${priority} from the given PriorityClass name`;
  }
  spec.priority = priority;
  if (policy === undefined) return undefined;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    const refusal = `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec`;
    return `${refusal}; ${computed} ${policy} from the given PriorityClass name`;
  }
  spec.preemptionPolicy = policy;
  return undefined;
}

/** An update without priority keeps the pod's priority. */
export function keepPriority({ spec }: PodFields, { spec: old }: PodFields): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
  }
}
