/** Volumes that a node attaches from elsewhere: disks and network file systems. */
import {
  invalid,
  dns1123SubdomainProblems,
  nameIsDnsSubdomain,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '@flotilla/kube';
import type { AzureDiskFields, IscsiVolumeFields, VolumeSourceFields } from '../volume-fields.ts';
import { checkDescendingPath, checkDnsLabel, checkRequired, invalidForEach } from './checks.ts';

type Source<K extends keyof VolumeSourceFields> = NonNullable<VolumeSourceFields[K]>;

export function checkGitRepo(errors: FieldError[], path: string, repo: Source<'gitRepo'>): void {
  checkRequired(errors, `${path}.repository`, repo.repository);
  checkDescendingPath(errors, `${path}.directory`, repo.directory ?? '');
}

export function checkGceDisk(errors: FieldError[], path: string, disk: Source<'gcePersistentDisk'>): void {
  checkRequired(errors, `${path}.pdName`, disk.pdName);
  checkPartition(errors, `${path}.partition`, disk.partition);
}

export function checkAwsDisk(errors: FieldError[], path: string, disk: Source<'awsElasticBlockStore'>): void {
  checkRequired(errors, `${path}.volumeID`, disk.volumeID);
  checkPartition(errors, `${path}.partition`, disk.partition);
}

function checkPartition(errors: FieldError[], path: string, partition = 0): void {
  if (partition < 0 || partition > 255) errors.push(invalid(path, partition, 'must be between 1 and 255, inclusive'));
}

function checkLun(errors: FieldError[], path: string, lun: number): void {
  if (lun < 0 || lun > 255) errors.push(invalid(path, lun, 'must be between 0 and 255, inclusive'));
}

export function checkNfs(errors: FieldError[], path: string, { server, path: target }: Source<'nfs'>): void {
  checkRequired(errors, `${path}.server`, server);
  checkRequired(errors, `${path}.path`, target);
  if (!target.startsWith('/')) errors.push(invalid(`${path}.path`, target, 'must be an absolute path'));
}

/** Four times the limit of iSCSI. Longer names are invalid without matching them. */
const maxInitiatorLength = 1024;

const initiatorFormats: readonly (readonly [prefix: string, format: RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
];

export function checkIscsi(errors: FieldError[], path: string, iscsi: IscsiVolumeFields): void {
  checkRequired(errors, `${path}.targetPortal`, iscsi.targetPortal);
  if (!iscsi.iqn) errors.push(required(`${path}.iqn`));
  else checkInitiator(errors, `${path}.iqn`, iscsi.iqn);
  checkLun(errors, `${path}.lun`, iscsi.lun);
  if ((iscsi.chapAuthDiscovery === true || iscsi.chapAuthSession === true) && iscsi.secretRef === undefined) {
    errors.push(required(`${path}.secretRef`));
  }
  if (iscsi.initiatorName !== undefined) checkInitiator(errors, `${path}.initiatorname`, iscsi.initiatorName);
}

function checkInitiator(errors: FieldError[], path: string, name: string): void {
  const format = initiatorFormats.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (format === undefined) {
    errors.push(invalid(path, name, 'must be valid format starting with iqn, eui, or naa'));
  } else if (name.length > maxInitiatorLength || !format.test(name))
    errors.push(invalid(path, name, 'must be valid format'));
}

export function checkGlusterfs(
  errors: FieldError[],
  path: string,
  { endpoints, path: target }: Source<'glusterfs'>,
): void {
  checkRequired(errors, `${path}.endpoints`, endpoints);
  checkRequired(errors, `${path}.path`, target);
}

export function checkFlocker(
  errors: FieldError[],
  path: string,
  { datasetName, datasetUUID }: Source<'flocker'>,
): void {
  if (!datasetName && !datasetUUID) errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName && datasetUUID) {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName?.includes('/')) errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
}

export function checkRbd(errors: FieldError[], path: string, { monitors, image }: Source<'rbd'>): void {
  if (!monitors?.length) errors.push(required(`${path}.monitors`));
  checkRequired(errors, `${path}.image`, image);
}

export function checkCinder(errors: FieldError[], path: string, { volumeID, secretRef }: Source<'cinder'>): void {
  checkRequired(errors, `${path}.volumeID`, volumeID);
  if (secretRef !== undefined) checkRequired(errors, `${path}.secretRef.name`, secretRef.name);
}

export function checkCephFs(errors: FieldError[], path: string, { monitors }: Source<'cephfs'>): void {
  if (!monitors?.length) errors.push(required(`${path}.monitors`));
}

export function checkQuobyte(
  errors: FieldError[],
  path: string,
  { registry, volume, tenant }: Source<'quobyte'>,
): void {
  const form = 'must be a host:port pair or multiple pairs separated by commas';
  if (!registry) errors.push(required(`${path}.registry`, form));
  else if ((tenant ?? '').length >= 65) {
    errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    for (const pair of registry.split(',')) {
      if (!/^(?:\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(pair)) errors.push(invalid(`${path}.registry`, registry, form));
    }
  }
  checkRequired(errors, `${path}.volume`, volume);
}

export function checkFibreChannel(errors: FieldError[], path: string, { targetWWNs, wwids, lun }: Source<'fc'>): void {
  const hasTargets = (targetWWNs ?? []).length > 0;
  const hasIds = (wwids ?? []).length > 0;
  if (!hasTargets && !hasIds) {
    errors.push(required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (hasTargets && hasIds) {
    errors.push(invalid(`${path}.targetWWNs`, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (!hasTargets) return;
  if (lun === undefined) errors.push(required(`${path}.lun`, 'lun is required if targetWWNs is specified'));
  else checkLun(errors, `${path}.lun`, lun);
}

export function checkFlexVolume(errors: FieldError[], path: string, { driver, options }: Source<'flexVolume'>): void {
  checkRequired(errors, `${path}.driver`, driver);
  for (const key of Object.keys(options ?? {})) {
    const domain = `.${key.split('/', 2)[0]?.toLowerCase()}`;
    if (domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io')) {
      errors.push(invalid(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'));
    }
  }
}

export function checkAzureFile(errors: FieldError[], path: string, file: Source<'azureFile'>): void {
  checkRequired(errors, `${path}.secretName`, file.secretName);
  checkRequired(errors, `${path}.shareName`, file.shareName);
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managedUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function checkAzureDisk(errors: FieldError[], path: string, disk: AzureDiskFields): void {
  const { diskName, diskURI, cachingMode, kind } = disk;
  checkRequired(errors, `${path}.diskName`, diskName);
  checkRequired(errors, `${path}.diskURI`, diskURI);
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(notSupported(`${path}.cachingMode`, cachingMode, cachingModes));
  }
  if (kind === undefined) return;
  if (!diskKinds.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, diskKinds));
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) {
    errors.push(notSupported(`${path}.diskURI`, diskURI, [managedUri]));
  }
  if (kind !== 'Managed' && !diskURI.startsWith('https://')) {
    errors.push(notSupported(`${path}.diskURI`, diskURI, [blobUri]));
  }
}

export function checkVsphere(errors: FieldError[], path: string, { volumePath }: Source<'vsphereVolume'>): void {
  checkRequired(errors, `${path}.volumePath`, volumePath);
}

export function checkPhotonDisk(errors: FieldError[], path: string, { pdID }: Source<'photonPersistentDisk'>): void {
  checkRequired(errors, `${path}.pdID`, pdID);
}

export function checkPortworx(errors: FieldError[], path: string, { volumeID }: Source<'portworxVolume'>): void {
  checkRequired(errors, `${path}.volumeID`, volumeID);
}

export function checkStorageOs(errors: FieldError[], path: string, volume: Source<'storageos'>): void {
  if (!volume.volumeName) errors.push(required(`${path}.volumeName`));
  else checkDnsLabel(errors, `${path}.volumeName`, volume.volumeName);
  if (volume.volumeNamespace) checkDnsLabel(errors, `${path}.volumeNamespace`, volume.volumeNamespace);
  if (volume.secretRef !== undefined) checkRequired(errors, `${path}.secretRef.name`, volume.secretRef.name);
}

export function checkScaleIo(
  errors: FieldError[],
  path: string,
  { gateway, system, volumeName }: Source<'scaleIO'>,
): void {
  checkRequired(errors, `${path}.gateway`, gateway);
  checkRequired(errors, `${path}.system`, system);
  checkRequired(errors, `${path}.volumeName`, volumeName);
}

export function checkCsi(errors: FieldError[], path: string, { driver, nodePublishSecretRef }: Source<'csi'>): void {
  checkCsiDriver(errors, `${path}.driver`, driver);
  if (nodePublishSecretRef === undefined) return;
  const name = nodePublishSecretRef.name ?? '';
  if (name === '') errors.push(required(`${path}.nodePublishSecretRef.name`));
  else invalidForEach(errors, `${path}.name`, name, nameIsDnsSubdomain(name, false));
}

function checkCsiDriver(errors: FieldError[], path: string, driver: string): void {
  if (!driver) return void errors.push(required(path));
  if (driver.length > 63) errors.push(tooLong(path, 63));
  invalidForEach(errors, path, driver, dns1123SubdomainProblems(driver.toLowerCase()));
}
