/** Checks and sets metadata of an object that a client sent, before admission. */
import { apiErrors, distinctOwnerReferences, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import type { Call } from '../../call/call.ts';

/** Sets the request's namespace. Refuses an object that names another one. */
export function setNamespace({ resource, info }: Call, object: KubeObject): void {
  if (!resource.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  const { namespace = '' } = object.metadata;
  if (namespace === '') object.metadata.namespace = info.namespace;
  else if (namespace !== info.namespace) {
    throw apiErrors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Refuses a body whose name differs from the one in the URL. */
export function checkName({ info }: Call, { metadata }: KubeObject): void {
  const { name = '' } = metadata;
  if (name === info.name) return;
  throw apiErrors.badRequest(
    name === ''
      ? `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${name}) does not match the name on the URL (${info.name})`,
  );
}

/** Removes the fields that only the server sets. */
export function wipeSystemFields({ metadata }: KubeObject): void {
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.uid;
  delete metadata.selfLink;
}

/** Removes repeated owner references, with a warning. */
export function dedupeOwners(metadata: ObjectMeta, warnings: string[], after?: 'mutation'): void {
  if (metadata.ownerReferences === undefined || metadata.ownerReferences.length < 2) return;
  const { references, warning } = distinctOwnerReferences(metadata.ownerReferences, after);
  if (warning === undefined) return;
  metadata.ownerReferences = references;
  warnings.push(warning);
}
