import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Conversion } from './custom-resource-definition.ts';
import {
  prepareForCreate,
  prepareForStatusUpdate,
  prepareForUpdate,
  setDefinitionDefaults,
} from './prepare-definition.ts';
import { aDefinition, aVersion } from './sample-definition.testing.ts';

describe('defaults', () => {
  test('name the singular and the list after the kind, and convert by doing nothing', () => {
    const { spec } = aDefinition();
    assert.deepEqual(spec.names, { plural: 'ships', kind: 'Ship', singular: 'ship', listKind: 'ShipList' });
    assert.deepEqual(spec.conversion, { strategy: 'None' });
  });

  test('leave what was said', () => {
    const names = { plural: 'ships', kind: 'Ship', singular: 'vessel', listKind: 'Fleet' };
    const service = { namespace: 'a', name: 'b' };
    const conversion: Conversion = { strategy: 'Webhook', webhook: { clientConfig: { service } } };
    const { spec } = aDefinition({ names, conversion });
    assert.deepEqual(spec.names, names);
    assert.deepEqual(spec.conversion?.webhook?.clientConfig?.service, { ...service, port: 443 });
  });

  test('make nothing of a missing kind', () => {
    const { spec } = aDefinition({ names: { plural: 'ships', kind: '' } });
    assert.deepEqual(spec.names, { plural: 'ships', kind: '' });
  });
});

describe('preparing', () => {
  test('a new definition forgets what was sent as its status', () => {
    const definition = aDefinition();
    definition.status = { storedVersions: ['v0'], conditions: [{ type: 'Established', status: 'True' }] };
    prepareForCreate(definition);
    assert.equal(definition.metadata.generation, 1);
    assert.deepEqual(definition.status, {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
  });

  test('an update keeps the status, and remembers each version that objects were stored in', () => {
    const old = aDefinition();
    const versions = [aVersion({}, { storage: false }), aVersion({}, { name: 'v2' })];
    const definition = aDefinition({ versions });
    definition.status = {};
    prepareForUpdate(definition, old);
    assert.deepEqual(definition.status, { ...old.status, storedVersions: ['v1', 'v2'] });
    assert.deepEqual(old.status?.storedVersions, ['v1']);
    assert.equal(definition.metadata.generation, 2);
  });

  test('an update of labels alone is no new generation', () => {
    const old = aDefinition();
    const definition = aDefinition();
    definition.metadata.labels = { a: 'b' };
    prepareForUpdate(definition, old);
    assert.equal(definition.metadata.generation, 1);
  });

  test('an update of the status keeps the spec, but not the metadata', () => {
    const old = aDefinition();
    const definition = aDefinition({ scope: 'Cluster' });
    definition.metadata.finalizers = [];
    prepareForStatusUpdate(definition, old);
    assert.equal(definition.spec, old.spec);
    assert.deepEqual(definition.metadata.finalizers, []);
  });

  test('without versions there is nothing stored', () => {
    const definition = aDefinition({ versions: [] });
    setDefinitionDefaults(definition);
    assert.equal(definition.status?.storedVersions, null);
  });
});
