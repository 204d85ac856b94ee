import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWaves, lastWave, waveOf } from './waves.ts';

describe('waves', () => {
  test('begin with what others live in, and end with what nobody knows', () => {
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

  test('do not take a custom resource for a built-in one of the same name', () => {
    assert.equal(waveOf({ group: 'sea.example.com', plural: 'namespaces' }), lastWave);
  });

  test('do not take a word of every object for a resource', () => {
    assert.equal(waveOf({ group: '', plural: 'constructor' }), lastWave);
  });

  test('keep the order of manifests that have the same wave, and leave out empty ones', () => {
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
