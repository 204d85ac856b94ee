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
  test('derive singular and list kind from the kind, and set conversion to None', () => {
    const { spec } = aDefinition();
    assert.deepEqual(spec.names, { plural: 'ships', kind: 'Ship', singular: 'ship', listKind: 'ShipList' });
    assert.deepEqual(spec.conversion, { strategy: 'None' });
  });

  test('keep what is set', () => {
    const names = { plural: 'ships', kind: 'Ship', singular: 'vessel', listKind: 'Fleet' };
    const service = { namespace: 'a', name: 'b' };
    const conversion: Conversion = { strategy: 'Webhook', webhook: { clientConfig: { service } } };
    const { spec } = aDefinition({ names, conversion });
    assert.deepEqual(spec.names, names);
    assert.deepEqual(spec.conversion?.webhook?.clientConfig?.service, { ...service, port: 443 });
  });

  test('need a kind', () => {
    const { spec } = aDefinition({ names: { plural: 'ships', kind: '' } });
    assert.deepEqual(spec.names, { plural: 'ships', kind: '' });
  });
});

describe('preparation', () => {
  test('of a new definition clears the status', () => {
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

  test('of an update keeps the status, and records each storage version', () => {
    const old = aDefinition();
    const versions = [aVersion({}, { storage: false }), aVersion({}, { name: 'v2' })];
    const definition = aDefinition({ versions });
    definition.status = {};
    prepareForUpdate(definition, old);
    assert.deepEqual(definition.status, { ...old.status, storedVersions: ['v1', 'v2'] });
    assert.deepEqual(old.status?.storedVersions, ['v1']);
    assert.equal(definition.metadata.generation, 2);
  });

  test('of an update of labels keeps the generation', () => {
    const old = aDefinition();
    const definition = aDefinition();
    definition.metadata.labels = { a: 'b' };
    prepareForUpdate(definition, old);
    assert.equal(definition.metadata.generation, 1);
  });

  test('of a status update keeps the spec, but not the metadata', () => {
    const old = aDefinition();
    const definition = aDefinition({ scope: 'Cluster' });
    definition.metadata.finalizers = [];
    prepareForStatusUpdate(definition, old);
    assert.equal(definition.spec, old.spec);
    assert.deepEqual(definition.metadata.finalizers, []);
  });

  test('without versions records no stored version', () => {
    const definition = aDefinition({ versions: [] });
    setDefinitionDefaults(definition);
    assert.equal(definition.status?.storedVersions, null);
  });
});
