import { formatTime, nameIsDnsSubdomain, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn, wideColumn } from '../../columns.ts';
import type { KindBehavior, WriteContext } from '../../kind.ts';
import { roundUpToMilli } from '../core-pods/resource-lists.ts';
import { setVolumeDefaults } from '../core-pods/volume-defaults.ts';
import { deprecatedNodeLabels } from '../field-checks.ts';
import {
  validateVolume,
  validateVolumeChange,
  validateVolumeSpec,
  type VolumeSpec,
} from './persistent-volume-validation.ts';
import {
  accessModesText,
  addProtection,
  classAnnotation,
  classAnnotationWarning,
  storageClassOf,
} from './volume-common.ts';

interface Volume {
  readonly metadata: ObjectMeta;
  spec: VolumeSpec;
  status: { phase?: string; reason?: string; lastPhaseTransitionTime?: string };
}

export const persistentVolumeKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  setDefaults(object) {
    const { spec, status } = volumeOf(object);
    status.phase ||= 'Pending';
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    roundUpToMilli(spec.capacity);
    // The sources and their defaults are those of pod volumes.
    setVolumeDefaults([{ ...spec, name: '' }]);
  },
  prepareForCreate(object, { now }) {
    volumeOf(object).status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
    addProtection(object, 'kubernetes.io/pv-protection');
  },
  prepareForUpdate(object, old) {
    volumeOf(object).status = volumeOf(old).status;
  },
  validate(object) {
    const { metadata, spec } = volumeOf(object);
    return validateVolume(metadata, spec);
  },
  validateUpdate(object, old) {
    const { metadata, spec } = volumeOf(object);
    // Kubernetes validates the spec of an update twice, and reports errors twice.
    return [
      ...validateVolume(metadata, spec),
      ...validateVolumeSpec(spec),
      ...validateVolumeChange(spec, volumeOf(old).spec),
    ];
  },
  warnings(object) {
    const { metadata, spec } = volumeOf(object);
    return volumeWarnings(metadata, spec);
  },
  subresources: {
    status: { prepareForUpdate: prepareStatus, resetFields: [['spec']] },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Capacity', 'string', 'Size of the volume.'),
      column('Access Modes', 'string', 'How the volume may be mounted.'),
      column('Reclaim Policy', 'string', 'What happens to the volume after its claim is deleted.'),
      column('Status', 'string', 'The phase of the volume.'),
      column('Claim', 'string', 'The claim that is bound to the volume.'),
      column('StorageClass', 'string', 'Class that the volume belongs to.'),
      column('VolumeAttributesClass', 'string', 'Class of attributes that the volume has.'),
      column('Reason', 'string', 'Why the volume is in its state.'),
      ageColumn,
      wideColumn('VolumeMode', 'string', 'Whether the volume is a file system or a device.'),
    ],
    cells: (object, now) => volumeCells(object as KubeObject & Volume, now),
  },
  resetFields: [['status']],
};

function volumeOf(object: KubeObject): Volume {
  const volume = object as KubeObject & Partial<Volume>;
  volume.spec ??= {};
  volume.status ??= {};
  return volume as KubeObject & Volume;
}

/** Sets the time of a change of phase, unless the client does. */
function prepareStatus(object: KubeObject, old: KubeObject, { now }: WriteContext): void {
  const volume = volumeOf(object);
  const before = volumeOf(old);
  volume.spec = before.spec;
  const { lastPhaseTransitionTime: date } = before.status;
  if (volume.status.phase === before.status.phase) {
    if (date !== undefined) volume.status.lastPhaseTransitionTime ??= date;
  } else if ((volume.status.lastPhaseTransitionTime ?? date) === date) {
    volume.status.lastPhaseTransitionTime = formatTime(now);
  }
}

function volumeCells(volume: KubeObject & Volume, now: Date): string[] {
  const { metadata, spec, status } = volume;
  const { claimRef } = spec;
  return [
    metadata.name ?? '',
    spec.capacity?.['storage'] ?? '0',
    accessModesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
    claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`,
    storageClassOf(metadata, spec.storageClassName),
    spec.volumeAttributesClassName ?? '<unset>',
    status.reason ?? '',
    age(volume, now),
    spec.volumeMode ?? '<unset>',
  ];
}

const mountOptionsWarning =
  'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead';
const recycleWarning =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Sources without an implementation, in the order of Kubernetes' warnings. */
const removedSources: readonly (readonly [source: string, shown: string, since: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings({ annotations = {} }: ObjectMeta, spec: VolumeSpec): string[] {
  return [
    ...(annotations[classAnnotation] === undefined ? [] : [classAnnotationWarning]),
    ...(annotations['volume.beta.kubernetes.io/mount-options'] === undefined ? [] : [mountOptionsWarning]),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' ? [recycleWarning] : []),
    ...affinityWarnings(spec),
    ...removedSources
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
