import { parseQuantity, quote } from '@flotilla/kube';
import type { ResourceList } from './pod-fields.ts';
import { entryOf } from './resource-lists.ts';
import type { ClaimSpecFields, ProjectionFields, VolumeFields } from './volume-fields.ts';

const removedSources: readonly (readonly [key: keyof VolumeFields & string, name: string, message: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function volumeWarnings(path: string, volumes: readonly VolumeFields[] = []): string[] {
  return volumes.flatMap((volume, i) => {
    const gone = removedSources
      .filter(([key]) => volume[key] !== undefined)
      .map(([, name, message]) => `${path}[${i}].${name}: ${message}`);
    const claim = volume.ephemeral?.volumeClaimTemplate;
    const ofClaim = claim ? claimWarnings(`${path}[${i}].ephemeral.volumeClaimTemplate.spec`, claim.spec) : [];
    return [...gone, ...ofClaim];
  });
}

interface FilePath {
  readonly path: string;
  /** The source in a projected volume. */
  readonly source: string;
}

/** Files of one volume that would overwrite or contain each other. */
export function overlapWarnings(volumes: readonly VolumeFields[] = []): string[] {
  return volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => [
    ...overlaps(name, `ConfigMap ${quote(configMap?.name ?? '')}`, pathsOf(configMap?.items)),
    ...overlaps(name, `Secret ${quote(secret?.secretName ?? '')}`, pathsOf(secret?.items)),
    ...overlaps(name, 'DownwardAPI', pathsOf(downwardAPI?.items)),
    ...(projected?.sources ?? [])
      .filter((source) => Object.keys(source).length === 0)
      .map(() => `volume ${quote(name)} (Projected) has no sources provided`),
    ...overlaps(name, 'Projected', (projected?.sources ?? []).flatMap(projectedPaths)),
  ]);
}

function pathsOf(items: readonly { readonly path: string }[] = [], source = ''): FilePath[] {
  return items.map(({ path }) => ({ path, source }));
}

function projectedPaths({ configMap, secret, downwardAPI, serviceAccountToken }: ProjectionFields): FilePath[] {
  if (configMap?.items) return pathsOf(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`);
  if (secret?.items) return pathsOf(secret.items, `Secret ${quote(secret.name ?? '')}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  return serviceAccountToken ? pathsOf([serviceAccountToken], 'ServiceAccountToken') : [];
}

/** Comparing files is quadratic, and more files than this would only add unread warnings. */
const maxCompared = 500;

/** A loop, because a regular expression would take quadratic time. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function overlaps(volume: string, description: string, paths: readonly FilePath[]): string[] {
  if (paths.length > maxCompared) return [];
  const files = paths.map(({ path, source }) => ({ path: withoutTrailingSlashes(path), source }));
  return files.flatMap((file, i) =>
    files
      .slice(0, i)
      .filter((other) => isInside(file.path, other.path) || isInside(other.path, file.path))
      .map((other) => {
        const pair = `${fileText(file)} with ${fileText(other)}`;
        return `volume ${quote(volume)} (${description}): overlapping paths: ${pair}`;
      }),
  );
}

function isInside(path: string, folder: string): boolean {
  return path !== '' && folder !== '' && `${path}/`.startsWith(`${folder}/`);
}

function fileText({ path, source }: FilePath): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}

/** Warns about fractions of resources that are counted in bytes. */
export function fractionWarnings(path: string, list: ResourceList | undefined, names: readonly string[]): string[] {
  if (list === undefined) return [];
  return names.flatMap((name) => {
    const quantity = entryOf(list, name);
    if (quantity === undefined || parseQuantity(quantity).isMultipleOf(0)) return [];
    return [`${path}[${name}]: fractional byte value ${quote(quantity)} is invalid, must be an integer`];
  });
}

/** `path`: that of the spec of a claim. */
export function claimWarnings(path: string, { resources }: ClaimSpecFields): string[] {
  return [
    ...fractionWarnings(`${path}.resources.requests`, resources?.requests, ['storage']),
    ...fractionWarnings(`${path}.resources.limits`, resources?.limits, ['storage']),
  ];
}
