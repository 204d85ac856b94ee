import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseJson, stringifyJson, type JsonObject, type KubeObject } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import * as fc from 'fast-check';
import { structType } from '../table/type-table.ts';
import { readEnvelope, writeEnvelope } from './envelope.ts';
import { decodeMessage } from './message-decoder.ts';
import { encodeMessage } from './message-encoder.ts';
import { decodeProtobuf, decodeWatchEvent, encodeProtobuf, encodeWatchEvent } from './protobuf-objects.ts';
import { ProtobufError } from './proto-reader.ts';

interface Fixture {
  readonly json: KubeObject;
  readonly protobuf: string;
}

/** JSON.parse would round an int64 that exceeds the safe integers. */
function fixture(name: string): unknown {
  return parseJson(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')).value;
}

const fixtures = fixture('objects.json') as Fixture[];

describe('objects that Go encoded', () => {
  for (const { json, protobuf } of fixtures) {
    test(`${json.kind} decodes to its JSON and encodes to the same bytes`, () => {
      const { object, kind, apiVersion } = decodeProtobuf(Buffer.from(protobuf, 'base64'));
      assert.equal(stringifyJson(object), stringifyJson(json));
      assert.deepEqual({ kind, apiVersion }, { kind: json.kind, apiVersion: json.apiVersion });
      assert.equal(Buffer.from(encodeProtobuf(object as KubeObject)).toString('base64'), protobuf);
    });
  }

  test('a watch event contains an object with its envelope', () => {
    const { type, object, protobuf } = fixture('watch-event.json') as {
      type: string;
      object: KubeObject;
      protobuf: string;
    };
    const event = decodeWatchEvent(Buffer.from(protobuf, 'base64'));
    assert.equal(event.type, type);
    assert.equal(stringifyJson(decodeProtobuf(event.object).object), stringifyJson(object));
    const encoded = encodeWatchEvent({ type, object: encodeProtobuf(object) });
    assert.equal(Buffer.from(encoded).toString('base64'), protobuf);
  });
});

const golden = referenceData();

describe('golden objects', { skip: golden.skip }, () => {
  const folder = golden.path('kubernetes/golden');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pb')) : [];

  test('decode to their JSON and encode to the same bytes', () => {
    assert.ok(names.length > 180);
    for (const name of names.filter((name) => name !== 'core.v1.WatchEvent.pb')) {
      const bytes = readFileSync(`${folder}/${name}`);
      const json = JSON.parse(readFileSync(`${folder}/${name.replace(/pb$/, 'json')}`, 'utf8')) as KubeObject;
      const { object } = decodeProtobuf(bytes);
      assert.equal(JSON.stringify(object), JSON.stringify(json), name);
      assert.deepEqual(Buffer.from(encodeProtobuf(object as KubeObject)), bytes, name);
    }
  });

  test('a watch event of JSON decodes to it', () => {
    const bytes = readFileSync(`${folder}/core.v1.WatchEvent.pb`);
    const json = JSON.parse(readFileSync(`${folder}/core.v1.WatchEvent.json`, 'utf8')) as JsonObject;
    const type = structType('meta/v1', 'WatchEvent');
    const { object } = decodeProtobuf(bytes, type);
    assert.deepEqual(object, json);
    const encoded = writeEnvelope({ apiVersion: '', kind: '' }, (writer) => writer.raw(encodeMessage(type, object)));
    assert.deepEqual(Buffer.from(encoded), bytes);
  });
});

describe('hostile bytes', () => {
  const pod = structType('core/v1', 'Pod');
  const bytes = (...values: number[]) => Uint8Array.from(values);
  const refuses = (message: Uint8Array, text: string) =>
    assert.throws(() => decodeMessage(pod, message), new ProtobufError(text));

  test('without the envelope are reported as such', () => {
    assert.throws(
      () => readEnvelope(Buffer.from('{"kind":"Pod"}')),
      new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'),
    );
  });

  test('of an unknown kind are refused', () => {
    const unknown = writeEnvelope({ apiVersion: 'v1', kind: 'Sailor' }, () => {});
    assert.throws(() => decodeProtobuf(unknown), new ProtobufError('no kind "Sailor" is registered for version "v1"'));
  });

  test('that end too early are refused', () => {
    refuses(bytes(0x0a), 'unexpected EOF');
    refuses(bytes(0x0a, 5, 1), 'unexpected EOF');
    refuses(bytes(0x80), 'unexpected EOF');
    refuses(bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f), 'unexpected EOF');
  });

  test('with endless varints are refused', () => {
    refuses(bytes(0x0a, ...Array.from({ length: 11 }, () => 0xff)), 'proto: integer overflow');
    refuses(
      bytes(0x0a, ...Array.from({ length: 9 }, () => 0xff), 0x01),
      'proto: negative length found during unmarshaling',
    );
  });

  test('with wrong tags are refused', () => {
    refuses(bytes(0x00), 'proto: Pod: illegal tag 0 (wire type 0)');
    refuses(bytes(0x0c), 'proto: Pod: wiretype end group for non-group');
    refuses(bytes(0x08, 1), 'proto: wrong wireType = 0 for field Metadata');
  });

  test('with unknown fields are read without them', () => {
    const group = bytes(0xfb, 0x07, 0xfb, 0x07, 0xf8, 0x07, 1, 0xfc, 0x07, 0xfc, 0x07);
    assert.deepEqual(decodeMessage(pod, group), { metadata: {}, spec: { containers: null }, status: {} });
  });

  test('that nest without end are refused', () => {
    const schema = structType('apiextensions/v1', 'JSONSchemaProps');
    let nested: JsonObject = {};
    for (let i = 0; i < 400; i++) nested = { not: nested };
    const message = encodeMessage(schema, nested);
    assert.deepEqual(decodeMessage(schema, message), nested);
    for (let i = 0; i < 400; i++) nested = { not: nested };
    const deeper = encodeMessage(schema, nested);
    assert.throws(() => decodeMessage(schema, deeper), new ProtobufError('exceeded max depth'));
  });

  test('give an object or a ProtobufError', () => {
    const starts = fixtures.map(({ protobuf }) => Buffer.from(protobuf, 'base64'));
    const change = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() });
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.array(change, { minLength: 1, maxLength: 8 }), (start, changes) => {
        let hostile = Buffer.from(start);
        for (const { at, byte, cut } of changes) {
          const place = at % hostile.length;
          if (cut && place > 4) hostile = hostile.subarray(0, place);
          else hostile[place] = byte;
        }
        try {
          decodeProtobuf(hostile);
        } catch (error) {
          assert.ok(error instanceof ProtobufError, String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test('a map comes out by key, whatever the order of its entries', () => {
  const entry = (key: string, value: string) =>
    Buffer.concat([
      Buffer.from([0x12, 4 + key.length + value.length, 0x0a, key.length]),
      Buffer.from(key),
      Buffer.from([0x12, value.length]),
      Buffer.from(value),
    ]);
  const message = Buffer.concat([entry('z', '1'), entry('__proto__', '2'), entry('a', '3')]);
  const { data } = decodeMessage(structType('core/v1', 'ConfigMap'), message) as { data: JsonObject };
  assert.deepEqual(Object.entries(data), [
    ['__proto__', '2'],
    ['a', '3'],
    ['z', '1'],
  ]);
});
