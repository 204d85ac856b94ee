import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry, ResourceCatalog } from './registry.ts';
import type { Resource } from './resource.ts';

function resource(group: string, version: string, plural: string): Resource {
  return { group, version, plural } as Resource;
}

function shown(registry: Registry): string[] {
  return [...registry.groups()].flatMap(({ name, versions }) =>
    versions.map(({ version, resources }) => `${name}/${version}: ${resources.map(({ plural }) => plural).join(' ')}`),
  );
}

const pods = resource('', 'v1', 'pods');
const jobs = resource('batch', 'v1', 'jobs');

test('built-in groups come first in their order, others by name with their newest version first', () => {
  const registry = new Registry(new ResourceCatalog([pods, jobs]));
  for (const [group, version] of [
    ['z.io', 'v1'],
    ['a.io', 'v1beta1'],
    ['a.io', 'v2'],
    ['batch', 'v2alpha1'],
  ] as const) {
    registry.put(resource(group, version, 'things'));
  }
  assert.deepEqual(shown(registry), [
    '/v1: pods',
    'batch/v1: jobs',
    'batch/v2alpha1: things',
    'a.io/v2: things',
    'a.io/v1beta1: things',
    'z.io/v1: things',
  ]);
});

test('a group version is removed with its last resource', () => {
  const registry = new Registry(new ResourceCatalog([pods]));
  const things = resource('a.io', 'v1', 'things');
  registry.put(things);
  assert.equal(registry.find('a.io', 'v1', 'things'), things);
  registry.remove(things);
  assert.equal(registry.find('a.io', 'v1', 'things'), undefined);
  assert.equal(registry.hasVersion('a.io', 'v1'), false);
  assert.deepEqual(shown(registry), ['/v1: pods']);
});

test('a change increments the counters of its group version and of the registry only', () => {
  const registry = new Registry(new ResourceCatalog([pods]));
  const changes = (group: string): number | undefined =>
    [...registry.groups()].find(({ name }) => name === group)?.versions[0]?.changes;
  registry.put(resource('a.io', 'v1', 'things'));
  registry.put(resource('b.io', 'v1', 'things'));
  const [before, ofA, ofB] = [registry.changes, changes('a.io'), changes('b.io')];
  registry.touch(resource('a.io', 'v1', 'things'));
  assert.equal(registry.changes, before + 1);
  assert.equal(changes('a.io'), (ofA ?? 0) + 1);
  assert.equal(changes('b.io'), ofB);
});

test('a built-in group version has no custom resources', () => {
  const registry = new Registry(new ResourceCatalog([jobs]));
  registry.put(resource('batch', 'v1', 'things'));
  assert.equal(registry.find('batch', 'v1', 'things'), undefined);
  assert.deepEqual(
    [...registry.all()].map(({ plural }) => plural),
    ['jobs'],
  );
});
