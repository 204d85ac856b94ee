import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonFloat } from '../json/value.ts';
import {
  comparePathElements,
  elementText,
  fieldElement,
  InvalidPathElement,
  keyElement,
  parsePathElement,
  pathText,
  valueElement,
} from './path-element.ts';

test('writes elements as FieldsV1 keys', () => {
  assert.equal(fieldElement('a.b/c'), 'f:a.b/c');
  assert.equal(valueElement('x'), 'v:"x"');
  assert.equal(valueElement(true), 'v:true');
  assert.equal(valueElement(null), 'v:null');
  assert.equal(valueElement(1.5), 'v:1.5');
  assert.equal(valueElement(2n ** 63n - 1n), 'v:9223372036854775807');
  assert.equal(
    keyElement([
      ['containerPort', 80],
      ['protocol', 'TCP'],
    ]),
    'k:{"containerPort":80,"protocol":"TCP"}',
  );
});

test('escapes what Go escapes in JSON', () => {
  assert.equal(keyElement([['name', '<a&b>']]), 'k:{"name":"\\u003ca\\u0026b\\u003e"}');
});

test('a whole float and its integer are one element', () => {
  assert.equal(valueElement(new JsonFloat(1)), valueElement(1));
  assert.equal(parsePathElement('v:1.0'), 'v:1');
});

test('reads keys in any spelling into the canonical one', () => {
  assert.equal(
    parsePathElement('k:{"protocol": "TCP", "containerPort":80}'),
    'k:{"containerPort":80,"protocol":"TCP"}',
  );
  assert.equal(parsePathElement('k:{"b":1,"a":2}'), 'k:{"a":2,"b":1}');
  assert.equal(parsePathElement('k:{"name":"<"}'), 'k:{"name":"\\u003c"}');
  assert.equal(parsePathElement('k:{"name":"\\u0061"}'), 'k:{"name":"a"}');
  assert.equal(parsePathElement('i:+7'), 'i:7');
  assert.equal(parsePathElement('v:9223372036854775807'), 'v:9223372036854775807');
});

test('keeps canonical keys', () => {
  for (const key of ['f:', 'f:__proto__', 'k:{"name":"web"}', 'k:{"a":-1,"b":true}', 'v:"x"', 'v:null', 'i:0']) {
    assert.equal(parsePathElement(key), key);
  }
});

test('returns undefined for unknown kinds of elements', () => {
  assert.equal(parsePathElement('q:what'), undefined);
});

test('refuses invalid keys', () => {
  for (const key of ['', 'f', 'fname', 'v:', 'v:{', 'k:[1]', 'k:x', 'i:x', 'i:1.5']) {
    assert.throws(() => parsePathElement(key), InvalidPathElement, key);
  }
});

test('orders fields, keys, values, positions, each by its content', () => {
  const sorted = [
    'f:a',
    'f:b',
    'f:\uffff',
    'f:\u{10000}',
    'k:{"name":"a"}',
    'k:{"name":"a!"}',
    'k:{"name":"ab"}',
    'k:{"name":"b","port":1}',
    'k:{"port":9}',
    'k:{"port":53,"protocol":"UDP"}',
    'k:{"port":80,"protocol":"TCP"}',
    'k:{"port":80,"protocol":"UDP"}',
    'k:{"port":"80"}',
    'v:2',
    'v:10',
    'v:"10"',
    'v:"2"',
    'v:"\\\\"',
    'v:"a"',
    'v:false',
    'v:true',
    'v:[1]',
    'v:{"a":1}',
    'v:null',
    'i:2',
    'i:10',
  ];
  assert.deepEqual(sorted.toReversed().sort(comparePathElements), sorted);
});

test('prints paths as errors show them', () => {
  assert.equal(elementText('v:"x"'), '[="x"]');
  assert.equal(elementText('i:3'), '[3]');
  assert.equal(elementText('v:[1,{"a":null}]'), '[=[1,a=null]]');
  assert.equal(
    pathText(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:name']),
    '.spec.ports[port=80,protocol="TCP"].name',
  );
});

test('orders keys by numbers of any length at any position', () => {
  const port = (number: string, rest = '"TCP"'): string => `k:{"containerPort":${number},"protocol":${rest}}`;
  const sorted = [
    port('-12'),
    port('-1'),
    port('1'),
    port('9'),
    port('9', '"UDP"'),
    port('10'),
    port('1000000000000000'),
  ];
  assert.deepEqual(sorted.toReversed().sort(comparePathElements), sorted);
  const values = ['v:-2', 'v:1', 'v:1.5', 'v:12', 'v:100000000000000000000', 'v:"1"', 'v:true'];
  assert.deepEqual(values.toReversed().sort(comparePathElements), values);
});
