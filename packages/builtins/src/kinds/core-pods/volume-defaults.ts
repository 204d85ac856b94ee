import { defaultPullPolicy } from './container-defaults.ts';
import { roundUpToMilli } from './resource-lists.ts';
import type {
  AzureDiskFields,
  ClaimSpecFields,
  DownwardApiFileFields,
  ProjectionFields,
  VolumeFields,
} from './volume-fields.ts';

const readableByAll = 0o644;
const hourInSeconds = 3600;

export function setVolumeDefaults(volumes: readonly VolumeFields[] | undefined): void {
  for (const volume of volumes ?? []) setDefaults(volume);
}

export function setClaimSpecDefaults(spec: ClaimSpecFields): void {
  spec.volumeMode ??= 'Filesystem';
  spec.resources ??= {};
  roundUpToMilli(spec.resources.limits);
  roundUpToMilli(spec.resources.requests);
}

function setDefaults(volume: VolumeFields): void {
  if (hasNoSource(volume)) volume.emptyDir = {};
  setFileDefaults(volume);
  setNetworkDefaults(volume);
  if (volume.image !== undefined) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference);
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim !== undefined) setClaimSpecDefaults((claim.spec ??= {}));
}

function hasNoSource(volume: VolumeFields): boolean {
  for (const key in volume) if (key !== 'name' && volume[key] !== undefined) return false;
  return true;
}

function setFileDefaults({ hostPath, secret, configMap, downwardAPI, projected }: VolumeFields): void {
  if (hostPath !== undefined) hostPath.type ??= '';
  if (secret !== undefined) secret.defaultMode ??= readableByAll;
  if (configMap !== undefined) configMap.defaultMode ??= readableByAll;
  if (downwardAPI !== undefined) {
    downwardAPI.defaultMode ??= readableByAll;
    setDownwardApiDefaults(downwardAPI.items);
  }
  if (projected !== undefined) {
    projected.defaultMode ??= readableByAll;
    for (const source of projected.sources ?? []) setProjectionDefaults(source);
  }
}

function setProjectionDefaults({ downwardAPI, serviceAccountToken }: ProjectionFields): void {
  setDownwardApiDefaults(downwardAPI?.items);
  if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= hourInSeconds;
}

function setDownwardApiDefaults(files: readonly DownwardApiFileFields[] | undefined): void {
  for (const { fieldRef } of files ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
}

function setNetworkDefaults({ iscsi, rbd, azureDisk, scaleIO }: VolumeFields): void {
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default';
  if (rbd !== undefined) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk !== undefined) setAzureDiskDefaults(azureDisk);
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}

function setAzureDiskDefaults(disk: AzureDiskFields): void {
  disk.cachingMode ??= 'ReadWrite';
  disk.fsType ??= 'ext4';
  disk.readOnly ??= false;
  disk.kind ??= 'Shared';
}
