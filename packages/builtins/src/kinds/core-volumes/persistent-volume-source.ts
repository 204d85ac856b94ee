/** Validates the source of a volume: exactly one, each with its own rules. */
import {
  dns1123SubdomainProblems,
  forbidden,
  invalid,
  nameIsDnsLabel,
  required,
  tooLong,
  type FieldError,
  type JsonObject,
} from '@flotilla/kube';
import {
  checkAwsDisk,
  checkAzureDisk,
  checkAzureFile,
  checkCephFs,
  checkCinder,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkGceDisk,
  checkGlusterfs,
  checkIscsi,
  checkNfs,
  checkPhotonDisk,
  checkPortworx,
  checkQuobyte,
  checkRbd,
  checkScaleIo,
  checkStorageOs,
  checkVsphere,
} from '../core-pods/pod-validation/attached-volumes.ts';
import { checkDnsLabel, checkNoBacksteps, checkRequired, invalidForEach } from '../core-pods/pod-validation/checks.ts';
import { checkHostPath } from '../core-pods/pod-validation/file-volumes.ts';
import type { VolumeSourceFields } from '../core-pods/volume-fields.ts';
import { checkClassName } from './claim-spec.ts';

type Source<Name extends keyof VolumeSourceFields> = NonNullable<VolumeSourceFields[Name]>;

/** Sources that volumes of pods have too. Some references have a namespace here. */
export interface PersistentVolumeSource extends JsonObject {
  hostPath?: Source<'hostPath'>;
  gcePersistentDisk?: Source<'gcePersistentDisk'>;
  awsElasticBlockStore?: Source<'awsElasticBlockStore'>;
  glusterfs?: Source<'glusterfs'> & { endpointsNamespace?: string };
  flocker?: Source<'flocker'>;
  nfs?: Source<'nfs'>;
  rbd?: Source<'rbd'>;
  quobyte?: Source<'quobyte'>;
  cephfs?: Source<'cephfs'>;
  iscsi?: Source<'iscsi'>;
  cinder?: Source<'cinder'> & { secretRef?: SecretReference };
  fc?: Source<'fc'>;
  flexVolume?: Source<'flexVolume'>;
  azureFile?: Source<'azureFile'> & { secretNamespace?: string };
  vsphereVolume?: Source<'vsphereVolume'>;
  photonPersistentDisk?: Source<'photonPersistentDisk'>;
  portworxVolume?: Source<'portworxVolume'>;
  azureDisk?: Source<'azureDisk'>;
  scaleIO?: Source<'scaleIO'>;
  local?: { path: string };
  storageos?: Source<'storageos'> & { secretRef?: SecretReference };
  csi?: CsiSource;
}

interface SecretReference extends JsonObject {
  name?: string;
  namespace?: string;
}

interface CsiSource extends JsonObject {
  driver: string;
  volumeHandle: string;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}

type Check = (errors: FieldError[], path: string, source: PersistentVolumeSource) => void;

/** In Kubernetes' order: the first one counts, the others are forbidden. */
const checks: readonly (readonly [name: keyof PersistentVolumeSource & string, shown: string, check: Check])[] = [
  ['hostPath', 'hostPath', of('hostPath', checkHostPath)],
  ['gcePersistentDisk', 'persistentDisk', of('gcePersistentDisk', checkGceDisk)],
  ['awsElasticBlockStore', 'awsElasticBlockStore', of('awsElasticBlockStore', checkAwsDisk)],
  ['glusterfs', 'glusterfs', of('glusterfs', checkGlusterfsVolume)],
  ['flocker', 'flocker', of('flocker', checkFlocker)],
  ['nfs', 'nfs', of('nfs', checkNfs)],
  ['rbd', 'rbd', of('rbd', checkRbd)],
  ['quobyte', 'quobyte', of('quobyte', checkQuobyte)],
  ['cephfs', 'cephfs', of('cephfs', checkCephFs)],
  ['iscsi', 'iscsi', of('iscsi', checkIscsi)],
  ['cinder', 'cinder', of('cinder', checkCinderVolume)],
  ['fc', 'fc', of('fc', checkFibreChannel)],
  ['flexVolume', 'flexVolume', of('flexVolume', checkFlexVolume)],
  ['azureFile', 'azureFile', of('azureFile', checkAzureFileVolume)],
  ['vsphereVolume', 'vsphereVolume', of('vsphereVolume', checkVsphere)],
  ['photonPersistentDisk', 'photonPersistentDisk', of('photonPersistentDisk', checkPhotonDisk)],
  ['portworxVolume', 'portworxVolume', of('portworxVolume', checkPortworx)],
  ['azureDisk', 'azureDisk', of('azureDisk', checkAzureDisk)],
  ['scaleIO', 'scaleIO', of('scaleIO', checkScaleIo)],
  ['local', 'local', of('local', checkLocal)],
  ['storageos', 'storageos', of('storageos', checkStorageOsVolume)],
  ['csi', 'csi', of('csi', checkCsi)],
];

export const sourceNames: readonly string[] = checks.map(([name]) => name);

export function checkVolumeSource(errors: FieldError[], path: string, source: PersistentVolumeSource): void {
  const present = checks.filter(([name]) => source[name] !== undefined);
  for (const [index, [name, shown, check]] of present.entries()) {
    // Kubernetes never counts a flex volume as an additional source.
    if (index === 0 || name === 'flexVolume') check(errors, `${path}.${shown}`, source);
    else
      errors.push(
        forbidden(`${path}.${name === 'cephfs' ? 'cephFS' : name}`, 'may not specify more than 1 volume type'),
      );
  }
  if (present.length === 0) errors.push(required(path, 'must specify a volume type'));
}

function of<Name extends keyof PersistentVolumeSource>(
  name: Name,
  check: (errors: FieldError[], path: string, source: NonNullable<PersistentVolumeSource[Name]>) => void,
): Check {
  return (errors, path, source) => {
    const own = source[name];
    if (own !== undefined && own !== null) check(errors, path, own);
  };
}

function checkGlusterfsVolume(errors: FieldError[], path: string, source: Present<'glusterfs'>): void {
  checkGlusterfs(errors, path, source);
  const { endpointsNamespace: namespace } = source;
  if (namespace === undefined) return;
  const field = `${path}.endpointsNamespace`;
  if (namespace !== '') invalidForEach(errors, field, namespace, nameIsDnsLabel(namespace, false));
  else errors.push(invalid(field, namespace, 'if the endpointnamespace is set, it must be a valid namespace name'));
}

function checkCinderVolume(errors: FieldError[], path: string, source: Present<'cinder'>): void {
  checkCinder(errors, path, source);
  if (source.secretRef !== undefined) checkRequired(errors, `${path}.secretRef.namespace`, source.secretRef.namespace);
}

function checkAzureFileVolume(errors: FieldError[], path: string, source: Present<'azureFile'>): void {
  checkAzureFile(errors, path, source);
  if (source.secretNamespace === '') errors.push(required(`${path}.secretNamespace`));
}

function checkStorageOsVolume(errors: FieldError[], path: string, source: Present<'storageos'>): void {
  checkStorageOs(errors, path, source);
  if (source.secretRef !== undefined) checkRequired(errors, `${path}.secretRef.namespace`, source.secretRef.namespace);
}

function checkLocal(errors: FieldError[], path: string, { path: target }: Present<'local'>): void {
  if (target === '') errors.push(required(`${path}.path`));
  else checkNoBacksteps(errors, `${path}.path`, target);
}

function checkCsi(errors: FieldError[], path: string, csi: CsiSource): void {
  checkDriverName(errors, `${path}.driver`, csi.driver);
  checkRequired(errors, `${path}.volumeHandle`, csi.volumeHandle);
  const references = [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const;
  for (const name of references) {
    const reference = csi[name];
    if (reference !== undefined) checkSecretReference(errors, `${path}.${name}`, reference);
  }
}

function checkDriverName(errors: FieldError[], path: string, driver: string): void {
  if (!driver) return void errors.push(required(path));
  if (driver.length > 63) errors.push(tooLong(path, 63));
  invalidForEach(errors, path, driver, dns1123SubdomainProblems(driver.toLowerCase()));
}

function checkSecretReference(errors: FieldError[], path: string, { name, namespace }: SecretReference): void {
  checkRequired(errors, `${path}.name`, name);
  checkClassName(errors, `${path}.name`, name ?? '');
  checkRequired(errors, `${path}.namespace`, namespace);
  if (namespace) checkDnsLabel(errors, `${path}.namespace`, namespace);
}

type Present<Name extends keyof PersistentVolumeSource> = NonNullable<PersistentVolumeSource[Name]>;
