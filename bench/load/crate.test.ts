import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crate, crateDefinition, cratesPath } from './crate.ts';

test('crates have 2.7 KB, and differ from write to write', () => {
  const body = crate('object-000042', 7, '123');
  const { metadata, spec } = JSON.parse(body.toString()) as {
    metadata: { resourceVersion: string };
    spec: { serial: number };
  };
  assert.equal(metadata.resourceVersion, '123');
  assert.equal(spec.serial, 7);
  assert.ok(Math.abs(body.length - 2700) < 80, `${body.length} bytes`);
});

test('copies of the CRD differ only in their group', () => {
  assert.equal(crateDefinition(1).toString().replaceAll('bench-1.', 'bench-2.'), crateDefinition(2).toString());
  assert.equal(cratesPath(2), '/apis/bench-2.example.com/v1/namespaces/bench/crates');
});
