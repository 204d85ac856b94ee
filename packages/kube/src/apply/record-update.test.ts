import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capManagers } from './record-update.ts';
import { setOfPaths } from './field-set.ts';
import { toFieldsV1 } from './fields-v1.ts';
import { identifierOf, type Manager, type Managers } from './managers.ts';
import { fieldPath } from './path-element.ts';

/** Updaters `m00`, `m01`, … one second apart. */
function updaters(count: number, apiVersion: (index: number) => string = () => 'v1'): Managers {
  const managers = Array.from({ length: count }, (_, index): Manager => {
    const number = String(index).padStart(2, '0');
    return {
      name: `m${number}`,
      operation: 'Update',
      subresource: '',
      apiVersion: apiVersion(index),
      time: `2026-01-01T00:00:${number}Z`,
      fields: setOfPaths([fieldPath(`f${number}`)]),
    };
  });
  return new Map(managers.map((manager) => [identifierOf(manager), manager]));
}

function errorText(managers: Managers): string[] {
  return Array.from(managers.values(), ({ name, apiVersion, fields, time }) =>
    [name, apiVersion, Object.keys(toFieldsV1(fields)).join('+'), time?.slice(17, 19)].join(' '),
  );
}

test('keeps up to ten updaters', () => {
  const managers = updaters(10);
  assert.equal(capManagers(managers), managers);
});

test('merges the oldest updaters, with the time of the youngest of them', () => {
  const capped = errorText(capManagers(updaters(12)));
  assert.equal(capped.length, 10);
  assert.deepEqual(capped.at(-1), 'ancient-changes v1 f:f00+f:f01+f:f02 02');
});

test('merges only updaters of the same version', () => {
  const capped = errorText(capManagers(updaters(11, (index) => (index % 2 === 0 ? 'v1' : 'v2'))));
  assert.equal(capped.length, 10);
  assert.deepEqual(capped.at(-1), 'ancient-changes v1 f:f00+f:f02 02');
  assert.ok(capped.includes('m01 v2 f:f01 01'));
});

test('does not count appliers toward the limit', () => {
  const appliers = Array.from(updaters(20).values(), (manager): Manager => ({ ...manager, operation: 'Apply' }));
  const managers = new Map(appliers.map((manager) => [identifierOf(manager), manager]));
  assert.equal(capManagers(managers), managers);
});
