/** How servers said what they have before there was one document for all: a list of groups, and a document for each version. */
import { ApiError, isJsonObject, type JsonObject } from '@flotilla/kube';
import {
  objectsIn,
  textIn,
  textsIn,
  type DiscoveredKind,
  type DiscoveredKinds,
  type GroupVersion,
} from './discovered-kind.ts';

type GetDocument = (path: string) => Promise<JsonObject>;

export async function kindsInOldDocuments(get: GetDocument): Promise<DiscoveredKinds> {
  const [core, groups] = await Promise.all([get('/api'), get('/apis')]);
  const versions = [
    ...textsIn(core['versions']).map((version) => ({ group: '', version })),
    ...objectsIn(groups['groups']).flatMap(versionsOf),
  ];
  const found = await Promise.all(versions.map((version) => kindsOf(version, get)));
  return {
    kinds: found.flatMap((kinds) => kinds ?? []),
    stale: versions.filter((_version, index) => found[index] === undefined),
  };
}

/** The preferred one first. */
function versionsOf(group: JsonObject): GroupVersion[] {
  const { preferredVersion } = group;
  const preferred = isJsonObject(preferredVersion) ? textIn(preferredVersion['version']) : '';
  const versions = objectsIn(group['versions']).map((entry) => textIn(entry['version']));
  const ordered = [preferred, ...versions.filter((version) => version !== preferred)];
  return ordered.filter((version) => version !== '').map((version) => ({ group: textIn(group['name']), version }));
}

/** Undefined when the version's own server cannot be asked; others go on. */
async function kindsOf(of: GroupVersion, get: GetDocument): Promise<DiscoveredKind[] | undefined> {
  const path = of.group === '' ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`;
  try {
    return kindsIn(objectsIn((await get(path))['resources']), of);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Subresources stand beside what they belong to: `deployments/scale`. */
function kindsIn(entries: readonly JsonObject[], of: GroupVersion): DiscoveredKind[] {
  const named = entries.map((entry) => ({ entry, name: textIn(entry['name']) }));
  return named
    .filter(({ name }) => !name.includes('/'))
    .map(({ entry, name: plural }) => ({
      ...of,
      kind: textIn(entry['kind']),
      plural,
      namespaced: entry['namespaced'] === true,
      singular: textIn(entry['singularName']),
      shortNames: textsIn(entry['shortNames']),
      categories: textsIn(entry['categories']),
      verbs: textsIn(entry['verbs']),
      subresources: named
        .filter(({ name }) => name.startsWith(`${plural}/`))
        .map(({ entry: sub, name }) => ({ name: name.slice(plural.length + 1), verbs: textsIn(sub['verbs']) })),
    }));
}
