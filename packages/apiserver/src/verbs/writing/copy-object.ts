import { copyJson, type KubeObject } from '@flotilla/kube';

/** A copy whose owner may edit it. Many times faster than the engine's own, and it keeps exact numbers. */
export function copyObject<T extends KubeObject>(object: T): T {
  return copyJson(object) as T;
}
