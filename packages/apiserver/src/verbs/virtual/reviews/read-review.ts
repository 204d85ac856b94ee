import { apiErrors, type KubeObject } from '@flotilla/kube';
import { admit, validateAdmission } from '../../../admission/admission.ts';
import { writeOptions } from '../../../request/write-options.ts';
import type { Call } from '../../../call/call.ts';
import { createAttributes } from '../../writing/create-attributes.ts';
import { setManagedFields } from '../../writing/managed-fields.ts';
import { setNamespace } from '../../writing/metadata.ts';
import { expectedKindOf, readAsWritten } from '../../body/read-object.ts';
import { writeContext } from '../../../call/write-context.ts';

/** Reads, admits and validates a review like any object, though it is never stored. */
export async function readReview(call: Call): Promise<KubeObject> {
  const { resource, info, server } = call;
  const options = writeOptions('CreateOptions', info.query);
  const { object, asWritten } = await readAsWritten(call, expectedKindOf(resource), options.fieldValidation);
  const now = server.now();
  setNamespace(call, object);
  setManagedFields(call, object, asWritten, options, now);
  const attributes = createAttributes(call, object, options);
  await admit(attributes);
  const review = resource.codec.inWireOrder(object);
  const errors = resource.behavior.validate?.(review, writeContext(call, now)) ?? [];
  // The error of Kubernetes has no kind.
  if (errors.length > 0) throw apiErrors.invalid({ kind: '', group: resource.group }, '', errors);
  await validateAdmission({ ...attributes, object: review });
  return review;
}
