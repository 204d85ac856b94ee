/** `metadata.generation` counts changes of the desired state; statuses say which generation they observed. */
import { nextGeneration, type KubeObject } from '@flotilla/kube';
import { sameFields } from './same-fields.ts';

export function startGeneration({ metadata }: KubeObject): void {
  metadata.generation = 1;
}

export function bumpGenerationIf(hasChanged: boolean, object: KubeObject, old: KubeObject): void {
  if (hasChanged) object.metadata.generation = nextGeneration(old.metadata);
}

/** The rule of most kinds: a changed spec is a new generation. */
export function bumpGenerationOnSpec(object: KubeObject, old: KubeObject): void {
  bumpGenerationIf(!sameFields(object['spec'], old['spec']), object, old);
}

/** Copies a part of the old object, or removes it if the old object does not have it. */
export function carryOver(part: string, object: KubeObject, old: KubeObject): void {
  if (old[part] === undefined) delete object[part];
  else object[part] = old[part];
}

const ownedByTheMainEndpoint = [
  'deletionTimestamp',
  'generation',
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;

/**
 * For kinds whose status endpoint may not change metadata. Managed fields stay, because they record the status write
 * itself.
 */
export function keepMetadata(object: KubeObject, old: KubeObject): void {
  for (const field of ownedByTheMainEndpoint) {
    const before = old.metadata[field];
    if (before === undefined) delete object.metadata[field];
    else Object.assign(object.metadata, { [field]: before });
  }
}
