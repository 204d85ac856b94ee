import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { LoopTurns, runSteps } from '@flotilla/timing';
import { encodeSwagger } from './swagger-protobuf.ts';

async function hex(document: JsonObject): Promise<string> {
  return Buffer.from(await runSteps(new LoopTurns(), encodeSwagger(document))).toString('hex');
}

/** A length-delimited field. */
function field(number: number, ...content: (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part)));
  assert.ok(bytes.length < 128);
  const tag = number * 8 + 2;
  return Buffer.concat([
    Buffer.from(tag < 128 ? [tag] : [(tag % 128) + 128, tag >> 7]),
    Buffer.from([bytes.length]),
    bytes,
  ]);
}

test('a schema has its type, items, properties and extensions', async () => {
  const schema = { type: 'array', items: { $ref: '#/x' }, 'x-kubernetes-list-type': 'map' };
  const expected = field(
    9,
    field(
      1,
      field(1, 'io.A'),
      field(
        2,
        field(22, field(1, 'array')),
        field(23, field(1, field(1, '#/x'))),
        field(31, field(1, 'x-kubernetes-list-type'), field(2, field(2, 'map\n'))),
      ),
    ),
  );
  assert.equal(await hex({ definitions: { 'io.A': schema } }), expected.toString('hex'));
});

test('a parameter has the message of its location', async () => {
  const query = { uniqueItems: true, type: 'string', name: 'q', in: 'query' };
  const body = { name: 'body', in: 'body', required: true, schema: { $ref: '#/x' } };
  const flag = (tag: number[]): Buffer => Buffer.from([...tag, 1]);
  const inQuery = field(3, flag([0xa0, 0x01]), field(6, 'string'), field(4, 'q'), field(2, 'query'));
  const inBody = field(1, field(2, 'body'), field(3, 'body'), flag([0x20]), field(5, field(1, '#/x')));
  const item = field(2, field(9, field(1, field(2, inQuery))), field(9, field(1, inBody)));
  const expected = field(8, field(2, field(1, '/p'), item));
  assert.equal(await hex({ paths: { '/p': { parameters: [query, body] } } }), expected.toString('hex'));
});

test('an unknown keyword is an error', async () => {
  await assert.rejects(hex({ definitions: { A: { nonsense: 1 } } }), /no protobuf field for nonsense/);
});
