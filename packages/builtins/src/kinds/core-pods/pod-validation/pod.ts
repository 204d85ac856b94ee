import { forbidden, type FieldError } from '@flotilla/kube';
import type { PodFields, PodSpecFields } from '../pod-fields.ts';
import { annotationOf } from '../security-profiles.ts';
import { checkAnnotations, checkProfileAnnotations, mirrorAnnotation } from './annotations.ts';
import { checkImageSpace } from './containers.ts';
import { checkPodSpec } from './pod-spec.ts';

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
