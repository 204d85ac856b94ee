import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { LoopTurns, runSteps } from '@flotilla/timing';
import { define, v1, widgets } from '../custom/widgets.testing.ts';
import { encodeDocumentV3 } from './document-v3-protobuf.ts';

async function hex(document: JsonObject): Promise<string> {
  return Buffer.from(await runSteps(new LoopTurns(), encodeDocumentV3(document))).toString('hex');
}

/** A length-delimited field. */
function field(number: number, ...content: (string | Buffer)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part)));
  assert.ok(bytes.length < 128);
  const tag = number * 8 + 2;
  const tagBytes = tag < 128 ? [tag] : [(tag % 128) + 128, tag >> 7];
  return Buffer.concat([Buffer.from([...tagBytes, bytes.length]), bytes]);
}

describe('a version 3 document as protobuf', () => {
  test('has its fields in the order of their numbers, without zero values', async () => {
    const schema = {
      type: 'object',
      description: 'd',
      nullable: false,
      minLength: 0,
      properties: { a: { $ref: '#/x' } },
    };
    const document = { components: { schemas: { 'io.A': schema } }, openapi: '3.0.0', paths: {}, info: { title: 't' } };
    const property = field(1, field(1, 'a'), field(2, field(2, field(1, '#/x'))));
    const expected = Buffer.concat([
      field(1, '3.0.0'),
      field(2, field(1, 't')),
      field(4),
      field(
        5,
        field(
          1,
          field(1, field(1, 'io.A'), field(2, field(1, field(25, 'object'), field(31, property), field(34, 'd')))),
        ),
      ),
    ]);
    assert.equal(await hex(document), expected.toString('hex'));
  });

  test('has the value of a scalar default, and an empty message for others', async () => {
    const defaultOf = async (value: JsonObject[string]): Promise<string> => {
      const text = await hex({ components: { schemas: { A: { default: value } } } });
      const start = field(33).toString('hex').slice(0, 4);
      return text.slice(text.indexOf(start) + 4);
    };
    assert.equal(await defaultOf({}), '00');
    assert.equal(await defaultOf(false), '021000');
    assert.equal(await defaultOf(''), '021a00');
    assert.equal(await defaultOf(0), '09090000000000000000');
  });

  test('refuses an unknown keyword', async () => {
    await assert.rejects(hex({ components: { schemas: { A: { nonsense: 1 } } } }), /no protobuf field for nonsense/);
  });

  test('is served for every group version, under both media types', async () => {
    const server = await startTestServer();
    await define(server, widgets({ versions: [v1({ subresources: { status: {} } })] }));
    const { body } = await server.request('GET', '/openapi/v3');
    const type = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
    for (const key of Object.keys(body['paths'] as JsonObject)) {
      const json = await server.request('GET', `/openapi/v3/${key}`);
      const { status, headers } = await server.request('GET', `/openapi/v3/${key}`, { accept: type });
      assert.deepEqual([status, headers['content-type'], headers['etag']], [200, type, json.headers['etag']], key);
    }
    const older = await server.request('GET', '/openapi/v3/apis/apps/v1', {
      accept: type.replace('v3.v1.0', 'v3@v1.0'),
    });
    assert.equal(older.headers['content-type'], type);
  });
});
