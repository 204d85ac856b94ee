import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { decodeManifest } from './decode-manifest.ts';

const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'apps' } };

describe('decodeManifest', () => {
  test('returns kind, namespace and name', () => {
    const decoded = decodeManifest(settings);
    assert.ok('object' in decoded);
    assert.deepEqual(decoded.gvk, { group: '', version: 'v1', kind: 'ConfigMap' });
    assert.deepEqual(decoded.header, { gvk: decoded.gvk, namespace: 'apps', name: 'settings' });
  });

  test('splits group and version', () => {
    const decoded = decodeManifest({ ...settings, apiVersion: 'apps/v1', kind: 'Deployment' });
    assert.ok('object' in decoded);
    assert.deepEqual(decoded.gvk, { group: 'apps', version: 'v1', kind: 'Deployment' });
  });

  test('adds empty metadata to an object without any', () => {
    const decoded = decodeManifest({ apiVersion: 'v1', kind: 'ConfigMap' });
    assert.ok('object' in decoded);
    assert.deepEqual(decoded.object.metadata, {});
  });

  test('refuses an object that has only a generateName', () => {
    const decoded = decodeManifest({ ...settings, metadata: { generateName: 'settings-' } });
    assert.ok('refusal' in decoded);
    assert.equal(decoded.refusal, 'FoundGenerateName');
    assert.match(decoded.problem, /set metadata.name/);
  });

  test('accepts a name beside a generateName', () => {
    const decoded = decodeManifest({ ...settings, metadata: { generateName: 'settings-', name: 'settings' } });
    assert.ok('object' in decoded);
  });

  const broken: Record<string, JsonValue> = {
    'a text': 'ConfigMap',
    null: null,
    'a list': [settings],
    'an object without kind': { apiVersion: 'v1', metadata: {} },
    'an empty kind': { ...settings, kind: '' },
    'a kind that is a number': { ...settings, kind: 7 },
    'an object without apiVersion': { kind: 'ConfigMap', metadata: {} },
    'an apiVersion of three parts': { ...settings, apiVersion: 'a/b/c' },
    'an apiVersion without version': { ...settings, apiVersion: 'apps/' },
    'an apiVersion with an empty group': { ...settings, apiVersion: '/v1' },
    'metadata that is a list': { ...settings, metadata: [] },
    'a name that is a number': { ...settings, metadata: { name: 7 } },
    'labels that are a list': { ...settings, metadata: { name: 'a', labels: ['b'] } },
    'annotations with a number': { ...settings, metadata: { name: 'a', annotations: { b: 1 } } },
    'finalizers that are a text': { ...settings, metadata: { name: 'a', finalizers: 'b' } },
    'owners without a uid': { ...settings, metadata: { name: 'a', ownerReferences: [{ kind: 'Pod', name: 'b' }] } },
  };
  for (const [name, value] of Object.entries(broken)) {
    test(`refuses ${name}`, () => {
      const decoded = decodeManifest(value);
      assert.ok('refusal' in decoded);
      assert.equal(decoded.refusal, 'DecodingErred');
      assert.notEqual(decoded.problem, '');
    });
  }

  test('refuses an object nested too deep, without recursion', () => {
    let deep: JsonValue = 'bottom';
    for (let level = 0; level < 200_000; level++) deep = { deeper: deep };
    const decoded = decodeManifest({ ...settings, data: deep });
    assert.ok('refusal' in decoded);
    assert.match(decoded.problem, /nested more than 500 levels/);
  });

  test('accepts a hundred thousand fields', () => {
    const data = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key-${index}`, 'value']));
    assert.ok('object' in decodeManifest({ ...settings, data }));
  });

  test('accepts fields named like those of Object.prototype', () => {
    const manifest = JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","__proto__":{"namespace":"evil"},"labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"kind":"Secret"}}',
    ) as JsonObject;
    const decoded = decodeManifest(manifest);
    assert.ok('object' in decoded);
    assert.deepEqual(decoded.header, {
      gvk: { group: '', version: 'v1', kind: 'ConfigMap' },
      namespace: '',
      name: 'a',
    });
  });

  test('ignores inherited fields', () => {
    const manifest = JSON.parse(
      '{"__proto__":{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}}}',
    ) as JsonObject;
    const decoded = decodeManifest(manifest);
    assert.ok('refusal' in decoded);
    assert.equal(decoded.refusal, 'DecodingErred');
  });
});
