import { forbidden, invalid, required, type FieldError } from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import { internalDiff, internalForm } from './internal/internal-form.ts';
import type {
  AffinityFields,
  NodeAffinityFields,
  NodeSelectorTermFields,
  PodFields,
  PodSpecFields,
  TolerationFields,
} from './pod-fields.ts';
import { checkAnnotationChanges, checkAnnotations } from './pod-validation/annotations.ts';
import { checkPod } from './pod-validation/pod.ts';
import { checkTolerations } from './pod-validation/tolerations.ts';
import { semanticEqual } from '../semantic-equal.ts';

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

const maxInt32 = 2 ** 31 - 1;

export function validatePodUpdate(pod: PodFields, old: PodFields): FieldError[] {
  const errors: FieldError[] = [];
  checkPod(errors, pod);
  checkAnnotationChanges(errors, 'metadata.annotations', pod.metadata, old.metadata);
  checkAnnotations(errors, 'metadata.annotations', pod.metadata, pod.spec);
  const mayGoOn =
    checkImages(errors, 'spec.containers', pod.spec.containers ?? [], old.spec.containers ?? []) &&
    checkImages(errors, 'spec.initContainers', pod.spec.initContainers ?? [], old.spec.initContainers ?? []) &&
    checkDeadline(errors, pod.spec, old.spec);
  if (!mayGoOn) return errors;
  checkKeptTolerations(errors, pod.spec.tolerations ?? [], old.spec.tolerations ?? []);
  checkRemovedGates(errors, pod.spec, old.spec);
  if (!semanticEqual(pod.spec, old.spec)) checkRest(errors, pod.spec, old.spec);
  return errors;
}

/** False if the lists do not correspond, so that no other check makes sense. */
function checkImages(
  errors: FieldError[],
  path: string,
  containers: readonly ContainerFields[],
  old: readonly ContainerFields[],
): boolean {
  if (containers.length !== old.length) {
    errors.push(forbidden(path, 'pod updates may not add or remove containers'));
    return false;
  }
  containers.forEach(({ image = '' }, i) => {
    if (image === '') errors.push(required(`${path}[${i}].image`));
    if (image.trim() !== image) {
      errors.push(invalid(`${path}[${i}].image`, image, 'must not have leading or trailing whitespace'));
    }
  });
  return true;
}

/** A deadline may be added, or be shortened. */
function checkDeadline(errors: FieldError[], spec: PodSpecFields, old: PodSpecFields): boolean {
  const field = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: deadline } = spec;
  if (deadline === undefined) {
    if (old.activeDeadlineSeconds !== undefined) {
      errors.push(invalid(field, null, 'must not update from a positive integer to nil value'));
    }
    return true;
  }
  if (deadline < 0 || deadline > maxInt32) {
    errors.push(invalid(field, deadline, `must be between 0 and ${maxInt32}, inclusive`));
    return false;
  }
  if (old.activeDeadlineSeconds !== undefined && old.activeDeadlineSeconds < deadline) {
    errors.push(invalid(field, deadline, 'must be less than or equal to previous value'));
    return false;
  }
  return true;
}

function checkKeptTolerations(
  errors: FieldError[],
  tolerations: readonly TolerationFields[],
  old: readonly TolerationFields[],
): void {
  const field = 'spec.tolerations';
  const kept = new Set(tolerations.map(identityOf));
  const areKept = old.every((toleration) => kept.has(identityOf(toleration)));
  if (areKept) checkTolerations(errors, field, tolerations);
  else errors.push(forbidden(field, 'existing toleration can not be modified except its tolerationSeconds'));
}

/** Everything but tolerationSeconds. */
function identityOf({ key = '', operator = '', value = '', effect = '' }: TolerationFields): string {
  return JSON.stringify([key, operator, value, effect]);
}

function checkRemovedGates(errors: FieldError[], { schedulingGates }: PodSpecFields, old: PodSpecFields): void {
  const before = new Set(old.schedulingGates?.map(({ name }) => name));
  schedulingGates?.forEach(({ name }, i) => {
    if (before.has(name)) return;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(forbidden(`spec.schedulingGates[${i}].name`, detail));
  });
}

/** Reverts the allowed changes, then refuses any remaining difference. */
function checkRest(errors: FieldError[], spec: PodSpecFields, old: PodSpecFields): void {
  const undone: PodSpecFields = { ...spec };
  undone.containers = withOldImages(spec.containers ?? [], old.containers ?? []);
  if (spec.initContainers) undone.initContainers = withOldImages(spec.initContainers, old.initContainers ?? []);
  restore(undone, old, 'activeDeadlineSeconds');
  restore(undone, old, 'schedulingGates');
  restore(undone, old, 'tolerations');
  if (Number(old.terminationGracePeriodSeconds) < 0 && spec.terminationGracePeriodSeconds === 1) {
    restore(undone, old, 'terminationGracePeriodSeconds');
  }
  if (old.schedulingGates?.length) undoGatedChanges(errors, undone, old);
  if (semanticEqual(undone, old)) return;
  const diff = internalDiff('PodSpec', old, undone);
  errors.push(forbidden('spec', `pod updates may not change fields other than ${changeable}\n${diff}`));
}

function withOldImages(containers: readonly ContainerFields[], old: readonly ContainerFields[]): ContainerFields[] {
  return containers.map((container, i) => ({ ...container, image: old[i]?.image ?? '' }));
}

function restore(spec: PodSpecFields, old: PodSpecFields, field: string): void {
  if (old[field] === undefined) delete spec[field];
  else spec[field] = old[field];
}

/** While a pod has scheduling gates, its node selector may still be narrowed. */
function undoGatedChanges(errors: FieldError[], undone: PodSpecFields, old: PodSpecFields): void {
  if (!semanticEqual(undone.nodeSelector, old.nodeSelector)) {
    checkNarrowerSelector(errors, undone.nodeSelector ?? {}, old.nodeSelector ?? {});
    restore(undone, old, 'nodeSelector');
  }
  const { nodeAffinity, ...others } = undone.affinity ?? {};
  const before = old.affinity?.nodeAffinity;
  if (semanticEqual(nodeAffinity, before)) return;
  checkNarrowerAffinity(errors, nodeAffinity, before);
  const affinity: AffinityFields = before === undefined ? others : { ...others, nodeAffinity: before };
  if (old.affinity === undefined && Object.keys(affinity).length === 0) delete undone.affinity;
  else undone.affinity = affinity;
}

function checkNarrowerSelector(
  errors: FieldError[],
  selector: Readonly<Record<string, string>>,
  old: Readonly<Record<string, string>>,
): void {
  if (Object.keys(old).every((key) => Object.hasOwn(selector, key) && selector[key] === old[key])) return;
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  errors.push(invalid('spec.nodeSelector', selector, detail));
}

function checkNarrowerAffinity(
  errors: FieldError[],
  affinity: NodeAffinityFields | undefined,
  old: NodeAffinityFields | undefined,
): void {
  const field = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const oldTerms = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return;
  if (oldTerms.length !== terms.length) {
    const printed = terms.length === 0 ? null : terms.map((term) => internalForm('NodeSelectorTerm', term));
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return void errors.push(invalid(field, printed, detail));
  }
  oldTerms.forEach((oldTerm, i) => {
    const term = terms[i] ?? {};
    if (hasOnlyAdditions(term, oldTerm)) return;
    const detail = 'only additions are allowed (no mutations or deletions)';
    errors.push(invalid(`${field}[${i}]`, internalForm('NodeSelectorTerm', term), detail));
  });
}

function hasOnlyAdditions(term: NodeSelectorTermFields, old: NodeSelectorTermFields): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  const { matchExpressions: oldExpressions = [], matchFields: oldFields = [] } = old;
  if (oldExpressions.length === 0 && oldFields.length === 0) {
    return matchExpressions.length === 0 && matchFields.length === 0;
  }
  return (
    semanticEqual(matchExpressions.slice(0, oldExpressions.length), oldExpressions) &&
    semanticEqual(matchFields.slice(0, oldFields.length), oldFields)
  );
}
