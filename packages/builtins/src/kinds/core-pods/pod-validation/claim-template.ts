import { forbidden, pushAll, validateAnnotations, validateLabels, type FieldError } from '@flotilla/kube';
import { checkClaimSpec } from '../../core-volumes/claim-spec.ts';
import type { ClaimTemplateFields } from '../volume-fields.ts';

/** Everything else in the metadata is made with the claim. */
const settableMetadata = ['annotations', 'labels', 'creationTimestamp'];

/** The template of the claim that comes and goes with a pod. */
export function checkClaimTemplate(errors: FieldError[], path: string, template: ClaimTemplateFields): void {
  const { metadata = {}, spec } = template;
  pushAll(errors, validateAnnotations(metadata.annotations, `${path}.metadata.annotations`));
  pushAll(errors, validateLabels(metadata.labels, `${path}.metadata.labels`));
  for (const field of Object.keys(metadata)) {
    if (!settableMetadata.includes(field))
      errors.push(forbidden(`${path}.metadata.${goField(field)}`, 'cannot be set'));
  }
  checkClaimSpec(errors, `${path}.spec`, spec);
}

/** Kubernetes makes the path from the name in Go. */
function goField(field: string): string {
  return field === 'uid' ? 'uID' : field;
}
