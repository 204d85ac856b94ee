import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from '@flotilla/cel';
import type { JsonSchema } from '../json-schema.ts';
import { celTypeOf, declarationOf, maxChildren, maxOccurrences, sizesIn } from './cel-type.ts';
import { escapeName } from './escape-name.ts';

test('escapes names as Kubernetes does', () => {
  assert.equal(escapeName('a.b-c/d__e'), 'a__dot__b__dash__c__slash__d__underscores__e');
  assert.equal(escapeName('namespace'), '__namespace__');
  assert.equal(escapeName('int'), 'int');
  assert.equal(escapeName('___'), '__underscores___');
  assert.equal(escapeName('1a'), undefined);
  assert.equal(escapeName('ä'), undefined);
  assert.equal(escapeName('a b'), undefined);
  assert.equal(escapeName(''), undefined);
});

test('types scalars, and strings by format', () => {
  assert.equal(celTypeOf({ type: 'integer' }, false), types.int);
  assert.equal(celTypeOf({ type: 'number' }, false), types.double);
  assert.equal(celTypeOf({ type: 'boolean' }, false), types.bool);
  assert.equal(celTypeOf({ type: 'string' }, false), types.string);
  assert.equal(celTypeOf({ type: 'string', format: 'byte' }, false), types.bytes);
  assert.equal(celTypeOf({ type: 'string', format: 'date' }, false), types.timestamp);
  assert.equal(celTypeOf({ type: 'string', format: 'date-time' }, false), types.timestamp);
  assert.equal(celTypeOf({ type: 'string', format: 'duration' }, false), types.duration);
  assert.equal(celTypeOf({ 'x-kubernetes-int-or-string': true }, false), types.dyn);
});

test('hides what has no known type, and what contains it', () => {
  const unknown: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };
  assert.equal(celTypeOf(unknown, false), undefined);
  assert.equal(celTypeOf({ type: 'array', items: unknown }, false), undefined);
  assert.equal(celTypeOf({ type: 'object', additionalProperties: unknown }, false), undefined);
  const object = declarationOf({ type: 'object', properties: { unknown, 'a-b': { type: 'string' } } }, false);
  assert.deepEqual([...(object?.fields?.keys() ?? [])], ['a__dash__b']);
});

test('shows kind, apiVersion and metadata.name only at the root of a resource', () => {
  const schema: JsonSchema = { type: 'object', properties: { spec: { type: 'object' } } };
  const root = declarationOf(schema, true);
  assert.deepEqual([...(root?.fields?.keys() ?? [])], ['spec', 'kind', 'apiVersion', 'metadata']);
  assert.deepEqual([...(root?.fields?.get('metadata')?.fields?.keys() ?? [])], ['name', 'generateName']);
  assert.deepEqual([...(declarationOf(schema, false)?.fields?.keys() ?? [])], ['spec']);
});

test('returns the maximum size for a path', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      limited: { type: 'string', maxLength: 10 },
      free: { type: 'string' },
      choice: { type: 'string', enum: ['a', 'Größe'] },
      bytes: { type: 'string', format: 'byte', maxLength: 10 },
      time: { type: 'string', format: 'date-time' },
      list: { type: 'array', items: { type: 'string' } },
      few: { type: 'array', maxItems: 3, items: { type: 'integer' } },
      map: { type: 'object', additionalProperties: { type: 'boolean' } },
    },
  };
  const declaration = declarationOf(schema, false);
  assert.ok(declaration);
  const sizeOf = sizesIn(declaration);
  const max = (...path: string[]): number | undefined => sizeOf(['self', ...path], types.dyn)?.max;
  assert.equal(max('limited'), 40);
  assert.equal(max('free'), 3_145_726);
  assert.equal(max('choice'), 7);
  assert.equal(max('bytes'), 10);
  assert.equal(max('time'), 32);
  assert.equal(max('list'), 1_048_575);
  assert.equal(max('list', '@items'), 3_145_726);
  assert.equal(max('few'), 3);
  assert.equal(max('map'), 314_572);
  assert.equal(max('map', '@keys'), 0);
  assert.equal(max('absent'), undefined);
  assert.equal(sizeOf([], types.dyn), undefined);
});

test('counts required fields without default in the shortest JSON', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['name', 'size', 'ready'],
    properties: { name: { type: 'string' }, size: { type: 'integer', default: 1 }, ready: { type: 'boolean' } },
  };
  const declaration = declarationOf(schema, false);
  assert.ok(declaration);
  assert.equal(declaration.minJson, 2 + (4 + 2 + 4) + (5 + 4 + 4));
  assert.equal(maxOccurrences(declaration), Math.floor(3_145_728 / 26));
});

test('knows how many children a node may have', () => {
  assert.equal(maxChildren({ type: 'array', maxItems: 5 }), 5);
  assert.equal(maxChildren({ type: 'array' }), undefined);
  assert.equal(maxChildren({ type: 'object', additionalProperties: true, maxProperties: 7 }), 7);
  assert.equal(maxChildren({ type: 'object', maxProperties: 7 }), 1);
  assert.equal(maxChildren({ type: 'string' }), 1);
});
