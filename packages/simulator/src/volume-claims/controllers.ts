import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller, type Indexes } from '@flotilla/runtime';
import { kinds, type PersistentVolume, type Pod, type VolumeClaim } from '../kinds.ts';
import { isFinished } from '../pods/pod-state.ts';
import { bindCompleted, hasAnnotation } from './annotations.ts';
import { decideClaim, type ClaimState } from './decide-claim.ts';
import { decideVolume, type VolumeState } from './decide-volume.ts';
import { claimNamesOf } from './pod-claims.ts';
import { decideProvisioning, provisionedName, simulatedProvisioner, type Provisioning } from './provisioner.ts';
import { classNameOf, defaultClassOf, hasClass } from './storage-class.ts';

const fieldManager = 'kube-controller-manager';
const eventSource = 'persistentvolume-controller';
type Changed = KubeObject | undefined;

/** Volumes by the claim that they are reserved for, the others by class. */
const volumeIndex: Indexes = {
  'volume-for': (object) => {
    const { claimRef } = (object as PersistentVolume).spec ?? {};
    return [claimRef === undefined ? `class ${classNameOf(object)}` : `claim ${keyText(claimKeyOf(claimRef))}`];
  },
};

/** Claims by the volume that they name, the others by the class that they want. */
const claimIndex: Indexes = {
  'claim-for': (object) => {
    const { volumeName = '' } = (object as VolumeClaim).spec ?? {};
    if (volumeName !== '') return [`volume ${volumeName}`];
    return [hasClass(object) ? `class ${classNameOf(object)}` : 'default class'];
  },
};

/** Pods by the claims that they use. */
const podIndex: Indexes = { 'pod-of-claim': (pod) => claimsOf(pod).map(keyText) };

export const claimController: Controller<ClaimState> = {
  name: 'persistentvolume-claim-controller',
  fieldManager,
  eventSource,
  watches: [
    { kind: kinds.volumeClaim, concerns: itself, indexes: claimIndex },
    { kind: kinds.volume, concerns: claimsOfVolume, indexes: volumeIndex },
    { kind: kinds.storageClass, concerns: claimsOfClass },
    { kind: kinds.pod, concerns: waitingClaims, indexes: podIndex },
  ],
  observe: (key, cache) => {
    const claim = cache.get(kinds.volumeClaim, key);
    if (claim === undefined) return undefined;
    const className = classNameOf(claim);
    const { volumeName = '' } = claim.spec ?? {};
    const isOpen = volumeName === '' && !hasAnnotation(claim, bindCompleted);
    const indexed = (value: string) => cache.indexed(kinds.volume, 'volume-for', value);
    return {
      claim,
      storageClass: cache.get(kinds.storageClass, { name: className }),
      defaultClass: hasClass(claim) ? undefined : defaultClassOf(cache.list(kinds.storageClass)),
      volume: cache.get(kinds.volume, { name: volumeName }),
      candidates: isOpen ? [...indexed(`claim ${keyText(key)}`), ...indexed(`class ${className}`)] : [],
      waitingPods: isOpen
        ? podsOf(claim, cache).flatMap((pod) => (pod.spec?.nodeName ? [] : (pod.metadata.name ?? '')))
        : [],
    };
  },
  decide: decideClaim,
};

/** Also deletes provisioned volumes of the classes that work, which their provisioner would do. */
export function volumeController(storageClasses: readonly string[]): Controller<VolumeState> {
  return {
    name: 'persistentvolume-controller',
    fieldManager,
    watches: [
      { kind: kinds.volume, concerns: itself, indexes: volumeIndex },
      { kind: kinds.volumeClaim, concerns: volumesOfClaim, indexes: claimIndex },
    ],
    observe: (key, cache) => {
      const volume = cache.get(kinds.volume, key);
      if (volume === undefined) return undefined;
      const { claimRef } = volume.spec ?? {};
      const claim = claimRef && cache.get(kinds.volumeClaim, claimKeyOf(claimRef));
      const hasProvisioner = storageClasses.includes(classNameOf(volume));
      return { volume, claim: claim?.metadata.uid === claimRef?.uid ? claim : undefined, hasProvisioner };
    },
    decide: decideVolume,
  };
}

/** Provisions the volumes of classes that work. */
export function provisionerController(storageClasses: readonly string[]): Controller<Provisioning> {
  return {
    name: 'volume-provisioner',
    fieldManager: simulatedProvisioner,
    eventSource: simulatedProvisioner,
    watches: [
      { kind: kinds.volumeClaim, concerns: itself, indexes: claimIndex },
      { kind: kinds.storageClass, concerns: claimsOfClass },
      { kind: kinds.volume, concerns: () => [], indexes: volumeIndex },
    ],
    observe: (key, cache) => {
      const claim = cache.get(kinds.volumeClaim, key);
      if (claim === undefined || !storageClasses.includes(classNameOf(claim))) return undefined;
      const storageClass = cache.get(kinds.storageClass, { name: classNameOf(claim) });
      if (storageClass === undefined) return undefined;
      const isProvisioned = cache.get(kinds.volume, { name: provisionedName(claim) }) !== undefined;
      return { claim, storageClass, isProvisioned };
    },
    decide: decideProvisioning,
  };
}

/** The claims that a volume is bound to or reserved for, or that may get it now. */
function claimsOfVolume(now: Changed, old: Changed, cache: Cache): ObjectKey[] {
  return [now, old].flatMap((object) => {
    if (object === undefined) return [];
    const { claimRef } = (object as PersistentVolume).spec ?? {};
    const named = cache.indexed(kinds.volumeClaim, 'claim-for', `volume ${object.metadata.name}`);
    const waiting = claimRef === undefined ? claimsWanting(classNameOf(object), cache) : [];
    return [...(claimRef ? [claimKeyOf(claimRef)] : []), ...keysOf([...named, ...waiting])];
  });
}

/** The volumes that a claim is or was bound to, and those that refer to it. */
function volumesOfClaim(now: Changed, old: Changed, cache: Cache): ObjectKey[] {
  return [now, old].flatMap((object) => {
    if (object === undefined) return [];
    const { volumeName = '' } = (object as VolumeClaim).spec ?? {};
    const [key] = itself(object, undefined);
    const referring = key ? cache.indexed(kinds.volume, 'volume-for', `claim ${keyText(key)}`) : [];
    return [...(volumeName === '' ? [] : [{ name: volumeName }]), ...keysOf(referring)];
  });
}

function claimsOfClass(now: Changed, old: Changed, cache: Cache): ObjectKey[] {
  const { name = '' } = (now ?? old)?.metadata ?? {};
  const undecided = cache.indexed(kinds.volumeClaim, 'claim-for', 'default class');
  return keysOf([...claimsWanting(name, cache), ...undecided]);
}

/** The claims of a pod that have no volume yet. */
function waitingClaims(now: Changed, old: Changed, cache: Cache): ObjectKey[] {
  const pod = now ?? old;
  if (pod === undefined) return [];
  return claimsOf(pod).filter((key) => (cache.get(kinds.volumeClaim, key)?.spec?.volumeName ?? '') === '');
}

function claimsWanting(className: string, cache: Cache): readonly Readonly<VolumeClaim>[] {
  return cache.indexed(kinds.volumeClaim, 'claim-for', `class ${className}`);
}

function podsOf(claim: Readonly<VolumeClaim>, cache: Cache): readonly Readonly<Pod>[] {
  const [key] = itself(claim, undefined);
  const pods = key ? cache.indexed(kinds.pod, 'pod-of-claim', keyText(key)) : [];
  return pods.filter((pod) => !isFinished(pod));
}

function claimsOf(pod: Readonly<Pod>): ObjectKey[] {
  const { namespace } = pod.metadata;
  return claimNamesOf(pod).map((name) => ({ namespace, name }));
}

function claimKeyOf({
  namespace,
  name = '',
}: NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>): ObjectKey {
  return { namespace, name };
}

function keysOf(objects: readonly Readonly<KubeObject>[]): ObjectKey[] {
  return objects.flatMap((object) => itself(object, undefined));
}
