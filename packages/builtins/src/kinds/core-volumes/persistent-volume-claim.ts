import { nameIsDnsSubdomain, parseQuantity, type FieldError, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn, wideColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { roundUpToMilli } from '../core-pods/resource-lists.ts';
import { checkClaimSpec, type ClaimSpec, type DataSource } from './claim-spec.ts';
import { validateClaimStatus } from './claim-status.ts';
import { hadApiGroup, validateClaimChange } from './claim-update.ts';
import {
  accessModesText,
  addProtection,
  classAnnotation,
  classAnnotationWarning,
  storageClassOf,
} from './volume-common.ts';

export interface ClaimFields {
  readonly metadata: ObjectMeta;
  spec: ClaimSpec;
  status: ClaimStatus;
}

interface ClaimStatus {
  phase?: string;
  readonly accessModes?: string[];
  readonly capacity?: Record<string, string>;
  readonly allocatedResources?: Record<string, string>;
  readonly allocatedResourceStatuses?: Record<string, string>;
  readonly currentVolumeAttributesClassName?: string;
}

export const persistentVolumeClaimKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  setDefaults(object) {
    const { spec, status } = claimOf(object);
    spec.volumeMode ??= 'Filesystem';
    status.phase ||= 'Pending';
    for (const list of [spec.resources?.limits, spec.resources?.requests]) roundUpToMilli(list);
    for (const list of [status.capacity, status.allocatedResources]) roundUpToMilli(list);
  },
  prepareForCreate(object) {
    const claim = claimOf(object);
    claim.status = { phase: 'Pending' };
    syncDataSources(claim.spec, undefined);
    addProtection(object, 'kubernetes.io/pvc-protection');
  },
  prepareForUpdate(object, old) {
    const claim = claimOf(object);
    const before = claimOf(old);
    claim.status = before.status;
    syncDataSources(claim.spec, before.spec);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkClaimSpec(errors, 'spec', claimOf(object).spec);
    return errors;
  },
  validateUpdate(object, old) {
    const claim = claimOf(object);
    const before = claimOf(old);
    const errors: FieldError[] = [];
    checkClaimSpec(errors, 'spec', claim.spec, !hadApiGroup(before.spec));
    return [...errors, ...validateClaimChange(claim, before)];
  },
  warnings(object) {
    const { metadata, spec } = claimOf(object);
    const isAnnotated = metadata.annotations?.[classAnnotation] !== undefined;
    return [...(isAnnotated ? [classAnnotationWarning] : []), ...fractionWarnings(spec)];
  },
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        claimOf(object).spec = claimOf(old).spec;
      },
      validateUpdate: (object) => validateClaimStatus(claimOf(object)),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Status', 'string', 'The phase of the claim.'),
      column('Volume', 'string', 'Name of the volume.'),
      column('Capacity', 'string', 'Size of the volume.'),
      column('Access Modes', 'string', 'How the volume may be mounted.'),
      column('StorageClass', 'string', 'The requested storage class.'),
      column('VolumeAttributesClass', 'string', 'The requested volume attributes class.'),
      ageColumn,
      wideColumn('VolumeMode', 'string', 'Whether the volume is a file system or a device.'),
    ],
    cells: (object, now) => claimCells(object as KubeObject & ClaimFields, now),
  },
  resetFields: [['status']],
};

function claimOf(object: KubeObject): ClaimFields {
  const claim = object as KubeObject & Partial<ClaimFields>;
  claim.spec ??= {};
  claim.status ??= {};
  return claim as KubeObject & ClaimFields;
}

function fractionWarnings({ resources: { requests = {}, limits = {} } = {} }: ClaimSpec): string[] {
  return Object.entries({ requests, limits }).flatMap(([child, { storage }]) => {
    if (storage === undefined || parseQuantity(storage).isMultipleOf(0)) return [];
    return [`spec.resources.${child}[storage]: fractional byte value "${storage}" is invalid, must be an integer`];
  });
}

function claimCells(claim: KubeObject & ClaimFields, now: Date): string[] {
  const { metadata, spec, status } = claim;
  const isBound = Boolean(spec.volumeName);
  return [
    metadata.name ?? '',
    metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
    spec.volumeName ?? '',
    isBound ? (status.capacity?.['storage'] ?? '0') : '',
    isBound ? accessModesText(status.accessModes) : '',
    storageClassOf(metadata, spec.storageClassName),
    spec.volumeAttributesClassName ?? '<unset>',
    age(claim, now),
    spec.volumeMode ?? '<unset>',
  ];
}

/** Syncs `dataSource` and the newer `dataSourceRef`, as far as Kubernetes accepts what was sent. */
function syncDataSources(spec: ClaimSpec, old: ClaimSpec | undefined): void {
  // The feature gate of sources in other namespaces is off.
  if (spec.dataSourceRef?.namespace && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const hadSource = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!hadSource && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  alignDataSources(spec);
}

function alignDataSources(spec: ClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = copyOf(dataSource);
  if (dataSourceRef !== undefined && dataSource === undefined && !dataSourceRef.namespace) {
    spec.dataSource = copyOf(dataSourceRef);
  }
}

function isClaimOrSnapshot(source: DataSource | undefined): boolean {
  if (source === undefined) return false;
  if (!source.apiGroup) return source.kind === 'PersistentVolumeClaim';
  return source.apiGroup === 'snapshot.storage.k8s.io' && source.kind === 'VolumeSnapshot';
}

function copyOf({ apiGroup, kind, name }: DataSource): DataSource {
  return { apiGroup: apiGroup ?? null, kind, name };
}
