/** Validates pod templates: the rules of pods, except for what only a pod has, with the owner's path. */
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
import type { PodTemplateFields } from '../pod-fields.ts';
import { checkAnnotations, checkProfileAnnotations } from './annotations.ts';
import { checkPodSpec, templateOwner } from './pod-spec.ts';

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
