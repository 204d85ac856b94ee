import { apiErrors } from '@flotilla/kube';

/** Refuses with the message of kinds with their own deletion: namespaces, definitions. */
export function checkStoragePreconditions(
  resource: { readonly resource: string; readonly group: string },
  name: string,
  preconditions: { readonly uid: string | undefined; readonly resourceVersion: string | undefined },
  stored: { readonly uid: string; readonly revision: number },
): void {
  const refuse = (what: string, wanted: string, found: string | number): never => {
    const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
    throw apiErrors.conflict(resource, name, why);
  };
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== stored.uid) refuse('UID', uid, stored.uid);
  if (resourceVersion !== undefined && resourceVersion !== String(stored.revision)) {
    refuse('ResourceVersion', resourceVersion, stored.revision);
  }
}
