import type { KubeObject } from '@flotilla/kube';

/** Gives an object a part of another, or takes the part away where the other has none. */
export function carryOver(part: string, object: KubeObject, old: KubeObject): void {
  if (old[part] === undefined) delete object[part];
  else object[part] = old[part];
}

/** A status write changes no metadata, but for who manages what. */
export function carryOverMetadata(object: KubeObject, old: KubeObject): void {
  const { managedFields } = object.metadata;
  object.metadata = { ...old.metadata, ...(managedFields && { managedFields }) };
}
