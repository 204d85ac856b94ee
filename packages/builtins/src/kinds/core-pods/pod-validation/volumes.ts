import {
  duplicate,
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  pushAll,
  quote,
  required,
  validateAnnotations,
  validateLabels,
  type FieldError,
} from '@flotilla/kube';
import { checkClaimSpec } from '../../core-volumes/claim-spec.ts';
import { isNegative } from '../resource-lists.ts';
import type { ClaimTemplateFields, VolumeFields, VolumeSourceFields } from '../volume-fields.ts';
import * as attached from './attached-volumes.ts';
import { checkDnsLabel, checkPullPolicy } from './checks.ts';
import { checkConfigMap, checkDownwardApi, checkHostPath, checkProjected, checkSecret } from './file-volumes.ts';

interface VolumeContext {
  /** The pod's name if the spec is that of a pod and the name is known. */
  readonly podName: string | undefined;
  readonly isPod: boolean;
}

interface VolumeCheck {
  readonly key: keyof VolumeSourceFields;
  /** The field's name in errors, if it differs. */
  readonly conflictName: string;
  readonly run: (errors: FieldError[], path: string, volume: VolumeFields, context: VolumeContext) => void;
}

type SourceCheck<K extends keyof VolumeSourceFields> = (
  errors: FieldError[],
  path: string,
  source: NonNullable<VolumeSourceFields[K]>,
  context: VolumeContext,
) => void;

function source<K extends keyof VolumeSourceFields>(
  key: K,
  check: SourceCheck<K>,
  { fieldName = key, conflictName = key }: { readonly fieldName?: string; readonly conflictName?: string } = {},
): VolumeCheck {
  return {
    key,
    conflictName,
    run: (errors, path, volume, context) => {
      const value = volume[key] as NonNullable<VolumeSourceFields[K]>;
      check(errors, `${path}.${fieldName}`, value, context);
    },
  };
}

/** In Kubernetes' order: the first source that is set determines the type of the volume. */
const sources: readonly VolumeCheck[] = [
  source('emptyDir', (errors, path, { sizeLimit }) => {
    if (sizeLimit === undefined || !isNegative(sizeLimit)) return;
    errors.push(forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'));
  }),
  source('hostPath', checkHostPath),
  source('gitRepo', attached.checkGitRepo),
  source('gcePersistentDisk', attached.checkGceDisk, { fieldName: 'persistentDisk' }),
  source('awsElasticBlockStore', attached.checkAwsDisk),
  source('secret', checkSecret),
  source('nfs', attached.checkNfs),
  source('iscsi', attached.checkIscsi),
  source('glusterfs', attached.checkGlusterfs),
  source('flocker', attached.checkFlocker),
  source('persistentVolumeClaim', (errors, path, { claimName }) => {
    if (!claimName) errors.push(required(`${path}.claimName`));
  }),
  source('rbd', attached.checkRbd),
  source('cinder', attached.checkCinder),
  source('cephfs', attached.checkCephFs, { conflictName: 'cephFS' }),
  source('quobyte', attached.checkQuobyte),
  source('downwardAPI', checkDownwardApi, { conflictName: 'downwarAPI' }),
  source('fc', attached.checkFibreChannel),
  source('flexVolume', attached.checkFlexVolume),
  source('configMap', checkConfigMap),
  source('azureFile', attached.checkAzureFile),
  source('vsphereVolume', attached.checkVsphere),
  source('photonPersistentDisk', attached.checkPhotonDisk),
  source('portworxVolume', attached.checkPortworx),
  source('azureDisk', attached.checkAzureDisk),
  source('storageos', attached.checkStorageOs),
  source('projected', checkProjected),
  source('scaleIO', attached.checkScaleIo),
  source('csi', attached.checkCsi),
  source('ephemeral', (errors, path, { volumeClaimTemplate }) => {
    if (volumeClaimTemplate === undefined) errors.push(required(`${path}.volumeClaimTemplate`));
    else checkClaimTemplate(errors, `${path}.volumeClaimTemplate`, volumeClaimTemplate);
  }),
  source('image', (errors, path, { reference, pullPolicy }, { isPod }) => {
    if (isPod && !reference) errors.push(required(`${path}.reference`));
    checkPullPolicy(errors, `${path}.pullPolicy`, pullPolicy);
  }),
];

/** Returns the valid volumes by name, for mounts. */
export function checkVolumes(
  errors: FieldError[],
  path: string,
  volumes: readonly VolumeFields[],
  context: VolumeContext,
): ReadonlyMap<string, VolumeFields> {
  const valid = new Map<string, VolumeFields>();
  const madeClaims = generatedClaims(volumes, context.podName);
  volumes.forEach((volume, i) => {
    const at = `${path}[${i}]`;
    const before = errors.length;
    checkSource(errors, at, volume, context);
    if (!volume.name) errors.push(required(`${at}.name`));
    else checkDnsLabel(errors, `${at}.name`, volume.name);
    if (valid.has(volume.name)) errors.push(duplicate(`${at}.name`, volume.name));
    if (errors.length === before) valid.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && madeClaims.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim, detail));
    }
  });
  return valid;
}

const noClaims: ReadonlySet<string> = new Set();

function generatedClaims(volumes: readonly VolumeFields[], podName: string | undefined): ReadonlySet<string> {
  if (!podName || !volumes.some(({ ephemeral }) => ephemeral !== undefined)) return noClaims;
  return new Set(volumes.filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`));
}

function checkSource(errors: FieldError[], path: string, volume: VolumeFields, context: VolumeContext): void {
  let found: keyof VolumeSourceFields | undefined;
  for (const { key, conflictName, run } of sources) {
    if (volume[key] === undefined) continue;
    if (found === undefined) run(errors, path, volume, context);
    else errors.push(forbidden(`${path}.${conflictName}`, 'may not specify more than 1 volume type'));
    found ??= key;
    if (key === 'iscsi') checkIscsiName(errors, path, volume);
  }
  if (found === undefined) errors.push(required(path, 'must specify a volume type'));
  if (found === 'ephemeral') checkClaimName(errors, path, volume.name, context.podName);
}

function checkIscsiName(errors: FieldError[], path: string, { name, iscsi }: VolumeFields): void {
  if (iscsi?.initiatorName === undefined || `${name}:${iscsi.targetPortal}`.length <= 64) return;
  const rule = 'must be under 64 characters if iscsi.initiatorName is specified.';
  errors.push(invalid(`${path}.name`, name, `Total length of <volume name>:<iscsi.targetPortal> ${rule}`));
}

function checkClaimName(errors: FieldError[], path: string, name: string, podName: string | undefined): void {
  if (!podName || !name) return;
  const claim = `${podName}-${name}`;
  for (const detail of nameIsDnsSubdomain(claim, false)) {
    errors.push(invalid(`${path}.name`, name, `PVC name ${quote(claim)}: ${detail}`));
  }
}

/** The server sets all other metadata when it creates the claim. */
const settableMetadata = ['annotations', 'labels', 'creationTimestamp'];

function checkClaimTemplate(errors: FieldError[], path: string, template: ClaimTemplateFields): void {
  const { metadata = {}, spec } = template;
  pushAll(errors, validateAnnotations(metadata.annotations, `${path}.metadata.annotations`));
  pushAll(errors, validateLabels(metadata.labels, `${path}.metadata.labels`));
  for (const field of Object.keys(metadata)) {
    if (!settableMetadata.includes(field))
      errors.push(forbidden(`${path}.metadata.${goField(field)}`, 'cannot be set'));
  }
  checkClaimSpec(errors, `${path}.spec`, spec);
}

/** Kubernetes uses the Go name in the path. */
function goField(field: string): string {
  return field === 'uid' ? 'uID' : field;
}
