import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiVersionOf } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import {
  servedGroupVersions,
  servedResources,
  type ServedGroupVersion,
  type ServedResource,
} from './resources/served-resource.ts';
import { typeOfKind } from './table/type-table.ts';

test('every served kind is in the field table, with its list', () => {
  for (const { group, version, kind, verbs, subresources } of servedResources) {
    assert.ok(typeOfKind({ group, version, kind }), `${group} ${kind}`);
    if (verbs.includes('list')) assert.ok(typeOfKind({ group, version, kind: `${kind}List` }), `${group} ${kind}List`);
    for (const subresource of subresources) assert.ok(typeOfKind(subresource), subresource.kind);
  }
});

function findResource(group: string, version: string, plural: string): ServedResource | undefined {
  return servedResources.find((one) => one.group === group && one.version === version && one.plural === plural);
}

test('versions of one kind share a collection', () => {
  const stored = (group: string, version: string, plural: string) => findResource(group, version, plural)?.storage;
  assert.deepEqual(stored('events.k8s.io', 'v1', 'events'), stored('', 'v1', 'events'));
  assert.deepEqual(
    stored('autoscaling', 'v1', 'horizontalpodautoscalers'),
    stored('autoscaling', 'v2', 'horizontalpodautoscalers'),
  );
  assert.equal(stored('autoscaling', 'v1', 'horizontalpodautoscalers')?.versionHash, 'qwQve8ut294=');
});

test('stores nothing for bindings', () => {
  assert.equal(findResource('', 'v1', 'bindings')?.storage, undefined);
});

const reference = referenceData();

interface ReferenceResource {
  name: string;
}

test('discovery matches kube-apiserver', { skip: reference.skip }, () => {
  const folder = reference.path('kubernetes/discovery');
  const stable = readdirSync(folder).filter((name) => /^apis?__(.*__)?v\d+\.json$/.test(name));
  const expected = new Map<string, ReferenceResource[]>();
  for (const name of stable) {
    const { groupVersion, resources } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as {
      groupVersion: string;
      resources: ReferenceResource[];
    };
    expected.set(groupVersion, resources);
  }
  const ours = new Map(servedGroupVersions.map((served) => [apiVersionOf(served), legacyDiscovery(served)]));
  assert.deepEqual([...ours.keys()].sort(), [...expected.keys()].sort());
  for (const [groupVersion, resources] of expected) assert.deepEqual(ours.get(groupVersion), resources, groupVersion);
});

test('groups have the order of kube-apiserver', { skip: reference.skip }, () => {
  const { items } = JSON.parse(readFileSync(reference.path('kubernetes/discovery/aggregated_v2.json'), 'utf8')) as {
    items: { metadata: { name: string } }[];
  };
  const served = [...new Set(servedGroupVersions.map(({ group }) => group).filter((group) => group !== ''))];
  assert.deepEqual(
    served,
    items.map(({ metadata }) => metadata.name).filter((name) => served.includes(name)),
  );
});

test('groups come by descending priority, then by name', () => {
  const order = servedGroupVersions.map(({ group, groupPriority }) => ({ group, groupPriority })).slice(1);
  const byPriority = order.toSorted((a, b) => b.groupPriority - a.groupPriority || (a.group < b.group ? -1 : 1));
  assert.deepEqual(order, byPriority);
});

/** The APIResourceList entries that follow from the rows. */
function legacyDiscovery({ resources }: ServedGroupVersion): unknown[] {
  return resources.flatMap((resource) => [
    {
      name: resource.plural,
      singularName: resource.singular,
      namespaced: resource.namespaced,
      kind: resource.kind,
      verbs: resource.verbs,
      ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
      ...(resource.categories.length > 0 && { categories: resource.categories }),
      ...(resource.storage && { storageVersionHash: resource.storage.versionHash }),
    },
    ...resource.subresources.map(({ name, group, version, kind, verbs }) => ({
      name: `${resource.plural}/${name}`,
      singularName: '',
      namespaced: resource.namespaced,
      ...(apiVersionOf({ group, version }) !== apiVersionOf(resource) && { group, version }),
      kind,
      verbs,
    })),
  ]);
}
