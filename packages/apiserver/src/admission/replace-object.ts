import type { KubeObject } from '@flotilla/kube';

/** Replaces the content of an object that other parts of a request refer to. */
export function replaceObject(target: KubeObject, source: KubeObject): void {
  if (target === source) return;
  for (const field of Object.keys(target)) delete target[field];
  Object.assign(target, source);
}
