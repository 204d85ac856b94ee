import type { ObjectMeta } from '@flotilla/kube';
import { deprecatedNodeLabels } from '../deprecated-node-labels.ts';
import type { VolumeSpec } from './persistent-volume-validation.ts';
import { classAnnotation, classAnnotationWarning } from './volume-words.ts';

const mountOptionsWarning =
  'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead';
const recycleWarning =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Sources whose code is gone, in the order in which Kubernetes says so. */
const goneSources: readonly (readonly [source: string, shown: string, since: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function volumeWarnings({ annotations = {} }: ObjectMeta, spec: VolumeSpec): string[] {
  return [
    ...(annotations[classAnnotation] === undefined ? [] : [classAnnotationWarning]),
    ...(annotations['volume.beta.kubernetes.io/mount-options'] === undefined ? [] : [mountOptionsWarning]),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [recycleWarning] : []),
    ...affinityWarnings(spec),
    ...goneSources
      .filter(([source]) => spec[source] !== undefined)
      .map(([, shown, since]) => `spec.${shown}: ${since}`),
  ];
}

function affinityWarnings({ nodeAffinity }: VolumeSpec): string[] {
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }, term) =>
    matchExpressions.flatMap(({ key }, index) => {
      const advice = deprecatedNodeLabels.get(key);
      const field = `spec.nodeAffinity.required.nodeSelectorTerms[${term}].matchExpressions[${index}].key`;
      return advice === undefined ? [] : [`${field}: ${key} is ${advice}`];
    }),
  );
}
