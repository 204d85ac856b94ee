import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWaves, lastWave, waveOf } from './waves.ts';

describe('waves', () => {
  test('begin with namespaces and end with unknown kinds', () => {
    const waves = [
      ['', 'namespaces'],
      ['scheduling.k8s.io', 'priorityclasses'],
      ['', 'secrets'],
      ['apiextensions.k8s.io', 'customresourcedefinitions'],
      ['rbac.authorization.k8s.io', 'roles'],
      ['rbac.authorization.k8s.io', 'rolebindings'],
      ['apps', 'deployments'],
      ['networking.k8s.io', 'ingresses'],
      ['admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
      ['sea.example.com', 'berths'],
      ['discovery.k8s.io', 'endpointslices'],
    ].map(([group = '', plural = '']) => waveOf({ group, plural }));
    assert.deepEqual(waves, [0, 0, 1, 1, 2, 3, 4, 4, 5, lastWave, lastWave]);
  });

  test('do not confuse a custom resource with a built-in one of the same name', () => {
    assert.equal(waveOf({ group: 'sea.example.com', plural: 'namespaces' }), lastWave);
  });

  test('treat names of Object.prototype as unknown resources', () => {
    assert.equal(waveOf({ group: '', plural: 'constructor' }), lastWave);
  });

  test('keep the order of manifests inside a wave, and omit empty waves', () => {
    const manifest = (group: string, plural: string, name: string) => ({ kind: { group, plural }, name });
    const waves = inWaves([
      manifest('apps', 'deployments', 'web'),
      manifest('', 'configmaps', 'b'),
      manifest('', 'namespaces', 'apps'),
      manifest('', 'configmaps', 'a'),
    ]);
    assert.deepEqual(
      waves.map((wave) => wave.map(({ name }) => name)),
      [['apps'], ['b', 'a'], ['web']],
    );
  });
});
