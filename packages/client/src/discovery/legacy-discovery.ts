/** Discovery of servers without the aggregated form: a list of groups, and one document for each version. */
import { ApiError, isJsonObject, textOf, type JsonObject } from '@flotilla/kube';
import { ConnectionError } from '../connection-error.ts';
import {
  objectsIn,
  textsIn,
  type DiscoveredKind,
  type DiscoveredKinds,
  type DiscoveredSubresource,
  type GroupVersion,
} from './discovered-kind.ts';

/** A cluster with many operators has a few hundred. */
const maxVersions = 5_000;

/** How many documents are requested at once. */
const maxConcurrent = 32;

type GetDocument = (path: string) => Promise<JsonObject>;

export async function legacyKinds(get: GetDocument): Promise<DiscoveredKinds> {
  const [core, groups] = await Promise.all([get('/api'), get('/apis')]);
  const versions = [
    ...textsIn(core['versions']).map((version) => ({ group: '', version })),
    ...objectsIn(groups['groups']).flatMap(versionsOf),
  ];
  if (versions.length > maxVersions) {
    throw new ConnectionError(`the server lists ${versions.length} API versions, more than ${maxVersions}`, 'cut');
  }
  const found = await mapConcurrently(versions, (version) => kindsOf(version, get));
  return {
    kinds: found.flatMap((kinds) => kinds ?? []),
    stale: versions.filter((_version, index) => found[index] === undefined),
  };
}

/** Results have the order of `all`. */
async function mapConcurrently<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const pending = all.entries();
  const lane = async (): Promise<void> => {
    for (const [index, one] of pending) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, lane));
  return results;
}

/** The preferred version comes first. */
function versionsOf(group: JsonObject): GroupVersion[] {
  const { preferredVersion } = group;
  const preferred = isJsonObject(preferredVersion) ? textOf(preferredVersion['version']) : '';
  const versions = objectsIn(group['versions']).map((entry) => textOf(entry['version']));
  const ordered = [preferred, ...versions.filter((version) => version !== preferred)];
  return ordered.filter((version) => version !== '').map((version) => ({ group: textOf(group['name']), version }));
}

/** Returns undefined if the server of this version does not answer. The others still count. */
async function kindsOf(of: GroupVersion, get: GetDocument): Promise<DiscoveredKind[] | undefined> {
  const path = of.group === '' ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
  try {
    return kindsIn(objectsIn((await get(path))['resources']), of);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Subresources are entries beside their resource: `deployments/scale`. */
function kindsIn(entries: readonly JsonObject[], of: GroupVersion): DiscoveredKind[] {
  const kinds: JsonObject[] = [];
  const subresources = new Map<string, DiscoveredSubresource[]>();
  for (const entry of entries) {
    const [plural = '', ...rest] = textOf(entry['name']).split('/');
    if (rest.length === 0) kinds.push(entry);
    else {
      const known = subresources.get(plural) ?? [];
      known.push({ name: rest.join('/'), verbs: textsIn(entry['verbs']) });
      subresources.set(plural, known);
    }
  }
  return kinds.map((entry) => ({
    ...of,
    kind: textOf(entry['kind']),
    plural: textOf(entry['name']),
    namespaced: entry['namespaced'] === true,
    singular: textOf(entry['singularName']),
    shortNames: textsIn(entry['shortNames']),
    categories: textsIn(entry['categories']),
    verbs: textsIn(entry['verbs']),
    subresources: subresources.get(textOf(entry['name'])) ?? [],
  }));
}
