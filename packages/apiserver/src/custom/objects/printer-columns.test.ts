import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonFloat, type JsonValue, type KubeObject } from '@flotilla/kube';
import type { DefinitionVersion, PrinterColumn } from '@flotilla/schema';
import { printerColumnsOf, scaleColumnsOf } from './printer-columns.ts';

const now = new Date('2026-01-02T03:04:05Z');
const version = (...columns: PrinterColumn[]): DefinitionVersion => ({
  name: 'v1',
  served: true,
  storage: true,
  additionalPrinterColumns: columns,
});
const ship = (spec: JsonValue): KubeObject => ({
  apiVersion: 'sea.example.com/v1',
  kind: 'Ship',
  metadata: { name: 'argo', creationTimestamp: '2026-01-02T03:03:05Z' },
  spec,
});

function cell(type: string, value: JsonValue): unknown {
  const columns = printerColumnsOf(version({ name: 'X', type, jsonPath: '.spec.x' }));
  return columns.cells(ship({ x: value }), now)[1];
}

describe('columns of a custom resource', () => {
  test('are name and age by default', () => {
    const columns = printerColumnsOf(version());
    assert.deepEqual(
      columns.definitions.map(({ name, type }) => [name, type]),
      [
        ['Name', 'string'],
        ['Age', 'date'],
      ],
    );
    assert.deepEqual(columns.cells(ship({}), now), ['argo', '60s']);
  });

  test('have the declared description, or one with the path', () => {
    const columns = printerColumnsOf(
      version(
        { name: 'Mast', type: 'integer', jsonPath: '.spec.masts', priority: 1, format: 'int32' },
        { name: 'Port', type: 'string', jsonPath: '.spec.port', description: 'Where she lies.' },
      ),
    );
    assert.deepEqual(columns.definitions.slice(1), [
      {
        name: 'Mast',
        type: 'integer',
        format: 'int32',
        description: 'Custom resource definition column (in JSONPath format): .spec.masts',
        priority: 1,
      },
      { name: 'Port', type: 'string', description: 'Where she lies.', priority: 0 },
    ]);
  });

  test('end before the first invalid path', () => {
    const columns = printerColumnsOf(
      version(
        { name: 'A', type: 'string', jsonPath: '.spec.a' },
        { name: 'B', type: 'string', jsonPath: '.spec[' },
        { name: 'C', type: 'string', jsonPath: '.spec.c' },
      ),
    );
    assert.deepEqual(
      columns.definitions.map(({ name }) => name),
      ['Name', 'A'],
    );
  });

  test('show only the first of several matches', () => {
    const columns = printerColumnsOf(version({ name: 'First', type: 'string', jsonPath: '.spec.list[*].n' }));
    assert.equal(columns.cells(ship({ list: [{ n: 'one' }, { n: 'two' }] }), now)[1], 'one');
  });

  test('are empty if the path matches nothing or fails', () => {
    const columns = printerColumnsOf(
      version(
        { name: 'Missing', type: 'string', jsonPath: '.spec.none' },
        { name: 'Beyond', type: 'string', jsonPath: '.spec.list[9]' },
      ),
    );
    assert.deepEqual(columns.cells(ship({ list: [] }), now), ['argo', null, null]);
  });
});

describe('a cell', () => {
  test('of type string prints anything as Go does', () => {
    assert.equal(cell('string', 'plain'), 'plain');
    assert.equal(cell('string', 7), '7');
    assert.equal(cell('string', 1e21), '1e+21');
    assert.equal(cell('string', true), 'true');
    assert.equal(cell('string', { b: 1, a: ['<'] }), '{"a":["\\u003c"],"b":1}');
    assert.equal(cell('string', null), '<no value>');
  });

  test('of type integer truncates a fraction, and keeps an int64', () => {
    assert.equal(cell('integer', 2.9), 2);
    assert.equal(cell('integer', new JsonFloat(3)), 3);
    assert.equal(cell('integer', 9007199254740993n), 9007199254740993n);
    assert.equal(cell('integer', '4'), null);
  });

  test('of type number or boolean accepts nothing else', () => {
    assert.equal(cell('number', 0.5), 0.5);
    assert.equal(cell('number', 'half'), null);
    assert.equal(cell('boolean', false), false);
    assert.equal(cell('boolean', 'false'), null);
  });

  test('of type date is an age, and reports text that is not a date', () => {
    assert.equal(cell('date', '2026-01-02T03:04:00Z'), '5s');
    assert.equal(cell('date', 'yesterday'), '<invalid>');
    assert.equal(cell('date', ''), '<unknown>');
    assert.equal(cell('date', 12), null);
  });
});

test('a Scale shows the replicas that the definition has paths for', () => {
  const scalable: DefinitionVersion = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
  };
  assert.deepEqual(
    scaleColumnsOf(scalable).definitions.map(({ name }) => name),
    ['Name', 'Desired', 'Available', 'Age'],
  );
});
