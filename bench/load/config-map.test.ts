import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, fieldOf, nameOf } from './config-map.ts';

test('ConfigMaps are valid, have 2.7 KB, and differ from write to write', () => {
  const body = configMap(nameOf('object', 42), 7, '123');
  const { metadata, data } = JSON.parse(body.toString()) as {
    metadata: { name: string; resourceVersion: string };
    data: { serial: string };
  };
  assert.equal(metadata.name, 'object-000042');
  assert.equal(metadata.resourceVersion, '123');
  assert.equal(data.serial, '7');
  assert.ok(Math.abs(body.length - 2700) < 50, `${body.length} bytes`);
  assert.equal(Object.keys(data).length, 12);
});

test('reads a field without parsing', () => {
  assert.equal(fieldOf(configMap('a-000001', 1, '99'), 'resourceVersion'), '99');
});
