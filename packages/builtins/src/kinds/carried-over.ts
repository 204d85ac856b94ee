import type { KubeObject } from '@flotilla/kube';

/** Gives an object a part of another, or takes the part away where the other has none. */
export function carryOver(part: string, object: KubeObject, old: KubeObject): void {
  if (old[part] === undefined) delete object[part];
  else object[part] = old[part];
}
