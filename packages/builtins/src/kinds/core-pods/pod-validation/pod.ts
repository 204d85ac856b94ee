import {
  forbidden,
  invalid,
  notSupported,
  pushAll,
  validateAnnotations,
  validateLabels,
  type FieldError,
  type LabelSelector,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { PodFields, PodSpecFields, PodTemplateFields } from '../pod-fields.ts';
import { annotationOf } from '../security-profiles.ts';
import { checkAnnotations, checkProfileAnnotations, mirrorAnnotation } from './annotations.ts';
import { checkImageSpace } from './containers.ts';
import { checkPodSpec, templateOwner } from './pod-spec.ts';

export function validateNewPod(pod: PodFields): FieldError[] {
  const errors: FieldError[] = [];
  const { metadata, spec } = pod;
  checkPod(errors, pod);
  if (spec.ephemeralContainers?.length) {
    errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (spec.nodeName && spec.schedulingGates?.length) {
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  checkProfileAnnotations(errors, 'spec', metadata, spec);
  return errors;
}

export function checkPod(errors: FieldError[], { metadata, spec }: PodFields): void {
  checkAnnotations(errors, 'metadata.annotations', metadata, spec);
  const isMirror = annotationOf(metadata, mirrorAnnotation) !== undefined;
  checkPodSpec(errors, 'spec', spec, { isPod: true, name: metadata.name ?? '', isMirror });
  if (!spec.serviceAccountName) checkNoTokens(errors, spec);
  spec.containers?.forEach((container, i) => checkImageSpace(errors, `spec.containers[${i}]`, container));
  spec.initContainers?.forEach((container, i) => checkImageSpace(errors, `spec.initContainers[${i}]`, container));
}

function checkNoTokens(errors: FieldError[], spec: PodSpecFields): void {
  spec.volumes?.forEach(({ projected }, i) => {
    projected?.sources?.forEach(({ serviceAccountToken }, j) => {
      if (serviceAccountToken === undefined) return;
      const field = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      errors.push(forbidden(field, 'must not be specified when serviceAccountName is not set'));
    });
  });
}

/** Validates pod templates: the rules of pods, except for what only a pod has, with the owner's path. */
export function checkPodTemplate(errors: FieldError[], path: string, { metadata = {}, spec }: PodTemplateFields): void {
  pushAll(errors, validateLabels(metadata.labels, `${path}.labels`));
  pushAll(errors, validateAnnotations(metadata.annotations, `${path}.annotations`));
  checkAnnotations(errors, `${path}.annotations`, metadata, spec);
  checkPodSpec(errors, `${path}.spec`, spec, templateOwner);
  checkProfileAnnotations(errors, `${path}.spec`, metadata, spec);
  if (spec.ephemeralContainers?.length) {
    errors.push(forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
  }
}

/** A template must match its selector; otherwise the controller would create pods without end. */
export function checkSelected(
  errors: FieldError[],
  path: string,
  { metadata }: PodTemplateFields,
  selector: LabelSelector,
): void {
  if (selector.matches(metadata?.labels)) return;
  const detail = '`selector` does not match template `labels`';
  errors.push(invalid(`${path}.metadata.labels`, metadata?.labels, detail));
}

/** For controllers that keep pods running. `kind` is Kubernetes' name of it in the message. */
export function checkRunsForever(errors: FieldError[], path: string, { spec }: PodTemplateFields, kind: string): void {
  const { restartPolicy = '' } = spec;
  if (restartPolicy !== 'Always') errors.push(notSupported(`${path}.spec.restartPolicy`, restartPolicy, ['Always']));
  if (spec.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, detail));
  }
}

/** An empty selector selects everything, which a controller may not do. */
export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelectorObject): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && !matchExpressions?.length;
}
