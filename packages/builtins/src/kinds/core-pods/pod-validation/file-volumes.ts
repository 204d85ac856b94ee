/** Volumes of files: secrets, config maps, fields of the pod, and files of the node. */
import { forbidden, invalid, notSupported, required, type FieldError } from '@flotilla/kube';
import type {
  ConfigMapVolumeFields,
  DownwardApiFields,
  DownwardApiFileFields,
  KeyToPathFields,
  ProjectedVolumeFields,
  ProjectionFields,
  SecretVolumeFields,
  VolumeSourceFields,
} from '../volume-fields.ts';
import { checkFieldRef, checkResourceFieldRef } from './downward-api.ts';
import { checkFileMode, checkNoBacksteps, checkUnreservedPath } from './checks.ts';

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const fieldsForFiles = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

export function checkHostPath(
  errors: FieldError[],
  path: string,
  { path: target, type }: NonNullable<VolumeSourceFields['hostPath']>,
): void {
  if (!target) return void errors.push(required(`${path}.path`));
  checkNoBacksteps(errors, `${path}.path`, target);
  if (type !== undefined && !hostPathTypes.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, hostPathTypes));
  }
}

export function checkSecret(errors: FieldError[], path: string, secret: SecretVolumeFields): void {
  if (!secret.secretName) errors.push(required(`${path}.secretName`));
  checkFileMode(errors, `${path}.defaultMode`, secret.defaultMode);
  checkItems(errors, path, secret.items);
}

export function checkConfigMap(errors: FieldError[], path: string, configMap: ConfigMapVolumeFields): void {
  if (!configMap.name) errors.push(required(`${path}.name`));
  checkFileMode(errors, `${path}.defaultMode`, configMap.defaultMode);
  checkItems(errors, path, configMap.items);
}

function checkItems(errors: FieldError[], path: string, items: readonly KeyToPathFields[] = []): void {
  items.forEach((item, i) => checkItem(errors, `${path}.items[${i}]`, item));
}

function checkItem(errors: FieldError[], path: string, { key, path: target, mode }: KeyToPathFields): void {
  if (!key) errors.push(required(`${path}.key`));
  if (!target) errors.push(required(`${path}.path`));
  checkUnreservedPath(errors, `${path}.path`, target);
  checkFileMode(errors, `${path}.mode`, mode);
}

export function checkDownwardApi(errors: FieldError[], path: string, { defaultMode, items }: DownwardApiFields): void {
  checkFileMode(errors, `${path}.defaultMode`, defaultMode);
  for (const file of items ?? []) checkDownwardFile(errors, path, file);
}

// Kubernetes' path is that of the volume, not of the file in it.
function checkDownwardFile(errors: FieldError[], path: string, file: DownwardApiFileFields): void {
  if (!file.path) errors.push(required(`${path}.path`));
  checkUnreservedPath(errors, `${path}.path`, file.path);
  if (file.fieldRef !== undefined) {
    checkFieldRef(errors, `${path}.fieldRef`, file.fieldRef, fieldsForFiles);
    if (file.resourceFieldRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalid(path, 'resource', detail));
    }
  } else if (file.resourceFieldRef !== undefined) {
    checkResourceFieldRef(errors, `${path}.resourceFieldRef`, file.resourceFieldRef, true);
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  checkFileMode(errors, `${path}.mode`, file.mode);
}

export function checkProjected(
  errors: FieldError[],
  path: string,
  { defaultMode, sources }: ProjectedVolumeFields,
): void {
  checkFileMode(errors, `${path}.defaultMode`, defaultMode);
  const paths = new ProjectedPaths(errors, path);
  sources?.forEach((source, i) => checkProjection(errors, path, `${path}.sources[${i}]`, source, paths));
}

/** Two sources of a projected volume may not write the same file. */
class ProjectedPaths {
  readonly #errors: FieldError[];
  readonly #path: string;
  readonly #taken = new Set<string>();

  constructor(errors: FieldError[], path: string) {
    this.#errors = errors;
    this.#path = path;
  }

  take(target: string, owner: string): void {
    if (!target) return;
    if (this.#taken.has(target)) this.#errors.push(invalid(this.#path, owner, 'conflicting duplicate paths'));
    this.#taken.add(target);
  }
}

function checkProjection(
  errors: FieldError[],
  volumePath: string,
  path: string,
  { secret, configMap, downwardAPI, serviceAccountToken }: ProjectionFields,
  paths: ProjectedPaths,
): void {
  if (secret !== undefined) checkProjectedItems(errors, `${path}.secret`, secret, paths);
  if (configMap !== undefined) checkProjectedItems(errors, `${path}.configMap`, configMap, paths);
  for (const file of downwardAPI?.items ?? []) {
    checkDownwardFile(errors, `${path}.downwardAPI`, file);
    paths.take(file.path, file.path);
  }
  if (serviceAccountToken !== undefined) {
    checkToken(errors, volumePath, `${path}.serviceAccountToken`, serviceAccountToken);
  }
  const given = [secret, configMap, downwardAPI, serviceAccountToken].filter((one) => one !== undefined).length;
  if (given > 1) errors.push(forbidden(path, 'may not specify more than 1 volume type per source'));
}

function checkProjectedItems(
  errors: FieldError[],
  path: string,
  { name, items }: { readonly name?: string; readonly items?: readonly KeyToPathFields[] },
  paths: ProjectedPaths,
): void {
  if (!name) errors.push(required(`${path}.name`));
  items?.forEach((item, i) => {
    checkItem(errors, `${path}.items[${i}]`, item);
    paths.take(item.path, name ?? '');
  });
}

function checkToken(
  errors: FieldError[],
  volumePath: string,
  path: string,
  { expirationSeconds = 0, path: target }: NonNullable<ProjectionFields['serviceAccountToken']>,
): void {
  if (expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 10 minutes';
    errors.push(invalid(`${path}.expirationSeconds`, expirationSeconds, detail));
  }
  if (expirationSeconds > 2 ** 32) {
    const detail = 'may not specify a duration larger than 2^32 seconds';
    errors.push(invalid(`${path}.expirationSeconds`, expirationSeconds, detail));
  }
  if (!target) errors.push(required(`${volumePath}.path`));
  else checkUnreservedPath(errors, `${volumePath}.path`, target);
}
