import {
  forbidden,
  invalid,
  notSupported,
  parseQuantity,
  pushAll,
  required,
  type FieldError,
  type JsonObject,
  type ObjectMeta,
} from '@flotilla/kube';
import { checkNodeSelector } from '../core-pods/pod-validation/affinity.ts';
import type { NodeSelectorTermFields } from '../core-pods/pod-fields.ts';
import { internalDiff, internalForm } from '../core-pods/internal/internal-form.ts';
import { sameFields } from '../same-fields.ts';
import { validateBasicQuantity } from './claim-status.ts';
import { checkClassName } from './claim-spec.ts';
import { checkVolumeSource, sourceNames, type PersistentVolumeSource } from './persistent-volume-source.ts';
import { validatePositive, type ResourceList } from '../core/resource-quantity.ts';
import { checkAccessModes, checkVolumeMode } from './volume-common.ts';

export interface VolumeSpec extends PersistentVolumeSource {
  capacity?: Record<string, string>;
  accessModes?: string[];
  claimRef?: { namespace?: string; name?: string };
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  nodeAffinity?: { required?: NodeSelector };
  volumeAttributesClassName?: string;
}

interface NodeSelector extends JsonObject {
  nodeSelectorTerms?: NodeSelectorTermFields[] | null;
}

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const mountOptions = 'volume.beta.kubernetes.io/mount-options';

/** Sources that support mount options by annotation, which the field replaced. */
const mountOptionSources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

export function validateVolume(metadata: ObjectMeta, spec: VolumeSpec): FieldError[] {
  const errors = validateVolumeSpec(spec);
  const isAnnotated = metadata.annotations?.[mountOptions] !== undefined;
  if (isAnnotated && mountOptionSources.every((name) => spec[name] === undefined)) {
    const detail = 'may not specify mount options for this volume type';
    errors.push(forbidden(`metadata.annotations.${mountOptions}`, detail));
  }
  return errors;
}

export function validateVolumeSpec(spec: VolumeSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { accessModes = [], persistentVolumeReclaimPolicy: policy = '', nodeAffinity } = spec;
  if (accessModes.length === 0) errors.push(required('spec.accessModes'));
  checkAccessModes(errors, 'spec.accessModes', accessModes);
  checkCapacity(errors, spec.capacity ?? {});
  if (policy !== '' && !reclaimPolicies.includes(policy)) {
    errors.push(notSupported('spec.persistentVolumeReclaimPolicy', policy, reclaimPolicies));
  }
  if (nodeAffinity !== undefined) checkNodeAffinity(errors, nodeAffinity);
  checkVolumeSource(errors, 'spec', spec);
  if (spec.local !== undefined && nodeAffinity === undefined && isOnlySource(spec)) {
    errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  if (policy === 'Recycle' && isRoot(spec.hostPath?.path)) {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbidden('spec.persistentVolumeReclaimPolicy', detail));
  }
  checkClassName(errors, 'spec.storageClassName', spec.storageClassName ?? '');
  if (spec.volumeMode !== undefined) checkVolumeMode(errors, 'spec.volumeMode', spec.volumeMode);
  checkAttributesClass(errors, spec);
  return errors;
}

export function validateVolumeChange(spec: VolumeSpec, old: VolumeSpec): FieldError[] {
  const errors: FieldError[] = [];
  const [now, before] = [sourceOf(withoutNewSecret(spec, old)), sourceOf(old)];
  if (!sameFields(now, before)) {
    const diff = internalDiff('PersistentVolumeSource', before, now);
    const message = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.push(forbidden('spec.persistentvolumesource', message));
  }
  if (spec.volumeMode !== old.volumeMode) errors.push(invalid('volumeMode', spec.volumeMode, 'field is immutable'));
  if (old.nodeAffinity !== undefined) checkAffinityChange(errors, spec.nodeAffinity, old.nodeAffinity);
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    errors.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'));
  }
  return errors;
}

function checkCapacity(errors: FieldError[], capacity: ResourceList): void {
  const names = Object.keys(capacity);
  if (names.length === 0) errors.push(required('spec.capacity'));
  if (names.length !== 1 || names[0] !== 'storage') {
    errors.push(notSupported('spec.capacity', names.length === 0 ? null : { ...capacity }, ['storage']));
  }
  for (const [name, amount] of Object.entries(capacity)) {
    pushAll(errors, validateBasicQuantity(`spec.capacity[${name}]`, amount));
    pushAll(errors, validatePositive(`spec.capacity[${name}]`, parseQuantity(amount)));
  }
}

function checkNodeAffinity(
  errors: FieldError[],
  { required: selector }: NonNullable<VolumeSpec['nodeAffinity']>,
): void {
  const field = 'spec.nodeAffinity.required';
  if (selector === undefined) errors.push(required(field, 'must specify required node constraints'));
  else checkNodeSelector(errors, field, selector);
}

function checkAttributesClass(errors: FieldError[], { volumeAttributesClassName: name, csi }: VolumeSpec): void {
  if (name === undefined) return;
  const field = 'spec.volumeAttributesClassName';
  if (name === '') errors.push(required(field, 'an empty string is disallowed'));
  checkClassName(errors, field, name);
  if (csi === undefined) errors.push(required('spec.csi', 'has to be specified when using volumeAttributesClassName'));
}

function checkAffinityChange(
  errors: FieldError[],
  now: VolumeSpec['nodeAffinity'],
  old: NonNullable<VolumeSpec['nodeAffinity']>,
): void {
  if (sameFields(withStableLabels(now, old), old)) return;
  const detail = 'field is immutable, except for updating from beta label to GA';
  if (now === undefined) errors.push(invalid('nodeAffinity', null, detail));
  else errors.push(invalid('nodeAffinity', internalForm('VolumeNodeAffinity', now), detail));
}

const stableLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

/** Reverts the one allowed change: a label's beta name may become its final one. */
function withStableLabels(
  now: VolumeSpec['nodeAffinity'],
  old: VolumeSpec['nodeAffinity'],
): VolumeSpec['nodeAffinity'] {
  const terms = now?.required?.nodeSelectorTerms;
  if (!terms) return now;
  const before = old?.required?.nodeSelectorTerms ?? [];
  const renamed = terms.map((term, index) => ({
    ...term,
    matchExpressions: (term.matchExpressions ?? []).map((expression, at) => {
      const key = before[index]?.matchExpressions?.[at]?.key ?? '';
      return stableLabels[key] === expression.key ? { ...expression, key } : expression;
    }),
  }));
  return { required: { nodeSelectorTerms: renamed } };
}

/** A secret for expansion may be added later. */
function withoutNewSecret(spec: VolumeSpec, old: VolumeSpec): VolumeSpec {
  if (spec.csi === undefined || old.csi === undefined || old.csi.controllerExpandSecretRef !== undefined) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...spec, csi };
}

function sourceOf(spec: VolumeSpec): JsonObject {
  return Object.fromEntries(sourceNames.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])));
}

function isOnlySource(spec: VolumeSpec): boolean {
  return sourceNames.find((name) => spec[name] !== undefined) === 'local';
}

function isRoot(path: string | undefined): boolean {
  return path !== undefined && /^\/[/.]*$/.test(path) && !path.includes('...');
}
