/** `metadata.generation` counts what a user asked for; statuses say which count they have seen. */
import { nextGeneration, type KubeObject } from '@flotilla/kube';
import { sameFields } from './same-fields.ts';

export function startGeneration({ metadata }: KubeObject): void {
  metadata.generation = 1;
}

export function bumpGenerationIf(hasChanged: boolean, object: KubeObject, old: KubeObject): void {
  if (hasChanged) object.metadata.generation = nextGeneration(old.metadata);
}

/** The rule of most kinds: a new generation for a new spec. */
export function bumpGenerationOnSpec(object: KubeObject, old: KubeObject): void {
  bumpGenerationIf(!sameFields(object['spec'], old['spec']), object, old);
}
