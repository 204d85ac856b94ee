import { attributesClassesOf } from '@flotilla/builtins';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Controller, type Indexes } from '@flotilla/runtime';
import { fieldManager } from '../settings.ts';
import { kinds, type PersistentVolume, type Pod } from '../kinds.ts';
import {
  claimNamesOf,
  decideAttributesClass,
  decideClaim,
  decideVolume,
  type AttributesClassState,
  type ClaimState,
} from './decide.ts';

type Changed = KubeObject | undefined;

/** Claims and volumes by their VolumeAttributesClasses. */
const attributesClassIndex: Indexes = { 'attributes-class': attributesClassesOf };

/** Keeps a deleted PersistentVolumeClaim until no pod uses it. */
export const claimProtectionController: Controller<ClaimState> = {
  name: 'pvc-protection-controller',
  fieldManager,
  watches: [
    { kind: kinds.claim, concerns: itself },
    {
      kind: kinds.pod,
      concerns: (now: Changed, old: Changed) => [...claimKeys(now), ...claimKeys(old)],
      indexes: { claim: (pod) => claimKeys(pod).map(keyText) },
    },
  ],
  observe: (key, cache) => {
    const claim = cache.get(kinds.claim, key);
    return claim && { claim, pods: cache.indexed(kinds.pod, 'claim', keyText(key)) };
  },
  decide: decideClaim,
};

/** Keeps a deleted PersistentVolume until no claim is bound to it. */
export const volumeProtectionController: Controller<Readonly<PersistentVolume>> = {
  name: 'pv-protection-controller',
  fieldManager,
  watches: [{ kind: kinds.volume, concerns: itself }],
  observe: (key, cache) => cache.get(kinds.volume, key),
  decide: decideVolume,
};

/** Keeps a deleted VolumeAttributesClass until no claim and no volume uses it. */
export const attributesClassProtectionController: Controller<AttributesClassState> = {
  name: 'volumeattributesclass-protection-controller',
  fieldManager,
  watches: [
    { kind: kinds.volumeAttributesClass, concerns: itself },
    { kind: kinds.claim, concerns: classesNoLongerUsed, indexes: attributesClassIndex },
    { kind: kinds.volume, concerns: classesNoLongerUsed, indexes: attributesClassIndex },
  ],
  observe: (key, cache) => {
    const attributesClass = cache.get(kinds.volumeAttributesClass, key);
    if (attributesClass === undefined) return undefined;
    const claims = cache.indexed(kinds.claim, 'attributes-class', key.name);
    const volumes = cache.indexed(kinds.volume, 'attributes-class', key.name);
    return { attributesClass, isInUse: claims.length + volumes.length > 0 };
  },
  decide: decideAttributesClass,
};

/** Only the end of a use can release a class. */
function classesNoLongerUsed(now: Changed, old: Changed): ObjectKey[] {
  const still = new Set(now ? attributesClassesOf(now) : []);
  const before = old ? attributesClassesOf(old) : [];
  return before.filter((name) => !still.has(name)).map((name) => ({ name }));
}

function claimKeys(pod: Changed): ObjectKey[] {
  return pod ? claimNamesOf(pod as Pod).map((name) => ({ namespace: pod.metadata.namespace, name })) : [];
}
