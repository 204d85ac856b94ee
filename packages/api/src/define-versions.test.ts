import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind } from '@flotilla/kube';
import { s } from '@flotilla/schema';
import { defineVersions } from './define-versions.ts';

const harbours: Kind = {
  group: 'sea.example.com',
  version: 'v1beta1',
  kind: 'Harbour',
  plural: 'harbours',
  namespaced: false,
};

const definition = defineVersions(harbours, {
  description: 'Where ships lie.',
  shortNames: ['hb'],
  categories: ['sea'],
  fields: { spec: s.object('What it offers.', { berths: s.integer('How many.'), note: s.string('For the pilot.') }) },
  subresources: { status: {} },
  columns: [{ name: 'Berths', type: 'integer', jsonPath: '.spec.berths' }],
  versions: {
    v1: { lacks: ['spec.note'] },
    v1alpha1: { columns: [] },
    v1beta1: {},
  },
});
const [v1, v1alpha1, v1beta1] = definition.spec.versions;

describe('a kind in several versions', () => {
  test('has the names, group and scope of its constant', () => {
    const { group, names, scope } = definition.spec;
    assert.deepEqual([group, names.kind, names.plural, scope], ['sea.example.com', 'Harbour', 'harbours', 'Cluster']);
    assert.deepEqual([names.shortNames, names.categories], [['hb'], ['sea']]);
  });

  test('serves all versions and stores the one that its constant names', () => {
    assert.deepEqual(
      definition.spec.versions.map(({ name, served, storage }) => [name, served, storage]),
      [
        ['v1', true, false],
        ['v1alpha1', true, false],
        ['v1beta1', true, true],
      ],
    );
  });

  test('shares one schema between versions with the same schema', () => {
    assert.equal(
      v1alpha1?.schema?.openAPIV3Schema?.properties?.['spec'],
      v1beta1?.schema?.openAPIV3Schema?.properties?.['spec'],
    );
  });

  test('has the declared differences in each version', () => {
    assert.deepEqual(Object.keys(v1?.schema?.openAPIV3Schema?.properties?.['spec']?.properties ?? {}), ['berths']);
    assert.equal(v1?.additionalPrinterColumns?.length, 1);
    assert.equal(v1alpha1?.additionalPrinterColumns, undefined);
  });
});
