import { forbidden, invalid, parseQuantity, type FieldError, type JsonObject, type Quantity } from '@flotilla/kube';
import { internalDiff } from '../core-pods/internal/internal-form.ts';
import { sameFields } from '../same-fields.ts';
import type { ClaimSpec } from './claim-spec.ts';
import type { ClaimFields } from './persistent-volume-claim.ts';
import { classAnnotation } from './volume-common.ts';

export function validateClaimChange(claim: ClaimFields, old: ClaimFields): FieldError[] {
  return [
    ...validateClassAnnotation(claim, old),
    ...validateSpecChange(claim, old),
    ...validateShrinking(claim, old),
    ...validateMode(claim.spec, old.spec),
    ...validateAttributesClass(claim.spec, old),
  ];
}

export function hadApiGroup({ dataSource, dataSourceRef }: ClaimSpec): boolean {
  return (dataSource?.apiGroup ?? dataSourceRef?.apiGroup ?? null) !== null;
}

function validateClassAnnotation(claim: ClaimFields, old: ClaimFields): FieldError[] {
  if (movesClassToField(claim, old)) return [];
  const [now = '', before = ''] = [annotatedClass(claim), annotatedClass(old)];
  if (now === before) return [];
  return [invalid(`metadata.annotations.${classAnnotation}`, now, 'field is immutable')];
}

/** A class may move from the legacy annotation to the field. */
function movesClassToField(claim: ClaimFields, old: ClaimFields): boolean {
  const before = annotatedClass(old);
  const now = annotatedClass(claim);
  if (before === undefined || old.spec.storageClassName !== undefined) return false;
  return claim.spec.storageClassName === before && (now === undefined || now === before);
}

function annotatedClass({ metadata }: ClaimFields): string | undefined {
  return metadata.annotations?.[classAnnotation];
}

function validateSpecChange(claim: ClaimFields, old: ClaimFields): FieldError[] {
  const before = { ...old.spec };
  if (!before.volumeName && claim.spec.volumeName) before.volumeName = claim.spec.volumeName;
  const now = withoutAllowedChanges(claim, old);
  if (sameFields(now, before)) return [];
  const diff = internalDiff('PersistentVolumeClaimSpec', before as JsonObject, now as JsonObject);
  const message =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [forbidden('spec', `${message}\n${diff}`)];
}

function withoutAllowedChanges(claim: ClaimFields, old: ClaimFields): ClaimSpec {
  const { storageClassName, volumeAttributesClassName, ...spec } = claim.spec;
  const isBound = claim.status.phase === 'Bound';
  const mayGetClass = storageClassName !== undefined && old.spec.storageClassName === undefined;
  const fitsAnnotation = (annotatedClass(old) ?? storageClassName) === storageClassName;
  const className = mayGetClass && fitsAnnotation ? undefined : storageClassName;
  const attributes = isBound ? old.spec.volumeAttributesClassName : volumeAttributesClassName;
  return {
    ...(isBound ? withOldStorage(spec, old.spec) : spec),
    ...(className === undefined ? {} : { storageClassName: className }),
    ...(attributes === undefined ? {} : { volumeAttributesClassName: attributes }),
  };
}

/** A bound claim may grow. */
function withOldStorage(spec: ClaimSpec, old: ClaimSpec): ClaimSpec {
  const { requests } = spec.resources ?? {};
  const storage = old.resources?.requests?.['storage'];
  if (requests === undefined || storage === undefined) return spec;
  return { ...spec, resources: { ...spec.resources, requests: { ...requests, storage } } };
}

/** A failed expansion may be reverted, but not below the size of the volume. */
function validateShrinking(claim: ClaimFields, old: ClaimFields): FieldError[] {
  const now = storageOf(claim.spec);
  const hasShrunk = now.compare(storageOf(old.spec)) < 0;
  if (!hasShrunk || now.compare(parseQuantity(old.status.capacity?.['storage'] ?? '0')) > 0) return [];
  return [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

function storageOf(spec: ClaimSpec): Quantity {
  return parseQuantity(spec.resources?.requests?.['storage'] ?? '0');
}

function validateMode({ volumeMode }: ClaimSpec, old: ClaimSpec): FieldError[] {
  return volumeMode === old.volumeMode ? [] : [invalid('volumeMode', volumeMode, 'field is immutable')];
}

function validateAttributesClass({ volumeAttributesClassName: name }: ClaimSpec, old: ClaimFields): FieldError[] {
  if (name === old.spec.volumeAttributesClassName || name) return [];
  if (old.status.currentVolumeAttributesClassName === undefined) return [];
  const target = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${target} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbidden('spec.volumeAttributesClassName', detail)];
}
