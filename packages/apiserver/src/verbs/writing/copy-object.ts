import { copyJson, type KubeObject } from '@flotilla/kube';

/** Returns a deep copy that may be edited. Many times faster than `structuredClone`, and keeps exact numbers. */
export function copyObject<T extends KubeObject>(object: T): T {
  return copyJson(object) as T;
}
