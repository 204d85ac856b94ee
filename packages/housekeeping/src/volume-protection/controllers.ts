import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Controller } from '@flotilla/runtime';
import { fieldManager } from '../settings.ts';
import { kinds, type PersistentVolume, type Pod } from '../kinds.ts';
import { claimNamesOf, decideClaim, decideVolume, type ClaimState } from './decide.ts';

type Changed = KubeObject | undefined;

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

function claimKeys(pod: Changed): ObjectKey[] {
  return pod ? claimNamesOf(pod as Pod).map((name) => ({ namespace: pod.metadata.namespace, name })) : [];
}
