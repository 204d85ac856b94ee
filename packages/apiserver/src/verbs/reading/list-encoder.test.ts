import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { encodeProtobuf } from '@flotilla/builtins';
import {
  indentJson,
  printYaml,
  stringifyJson,
  type ApiResponse,
  type JsonObject,
  type KubeObject,
  type ResponseStream,
  type StreamSink,
} from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { heldBytes } from './list-batch.ts';

const namespace = '/api/v1/namespaces/default';
const ledgers = '/apis/example.com/v1/namespaces/default/ledgers';
const meta = 'g=meta.k8s.io;v=v1';

const transformations = ['', `;as=Table;${meta}`, `;as=PartialObjectMetadataList;${meta}`];
const textForms = transformations.flatMap((as) => [
  `application/json${as}`,
  `application/json;pretty=1${as}`,
  `application/yaml${as}`,
]);
const protobuf = 'application/vnd.kubernetes.protobuf';
const protobufForms = [protobuf, `${protobuf};as=PartialObjectMetadataList;${meta}`];

/** Enough to show that each reader costs little. */
const readerCount = 100;

/** More than a list sends without streaming. */
const count = 60;
const filler = 'seven ships: "wait" in the harbour\n'.repeat(130);

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ledgers.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'ledgers', singular: 'ledger', kind: 'Ledger', listKind: 'LedgerList' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
};

describe('a list', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
    for (let number = 0; number < count; number++) {
      const metadata = { name: `object-${number}`, annotations: { filler } };
      const deep: JsonObject = nested(98);
      await server.request('POST', `${namespace}/configmaps`, { body: { metadata, data: { filler } } });
      const object = { apiVersion: 'example.com/v1', kind: 'Ledger', metadata, deep, filler };
      assert.equal((await server.request('POST', ledgers, { body: object })).status, 201);
    }
  });

  const paths = [`${namespace}/configmaps`, ledgers, ledgers.replace('v1', 'v2')];
  for (const path of paths) {
    for (const accept of textForms.filter((form) => form !== 'application/json')) {
      test(`that is streamed equals the list encoded at once: ${path} as ${accept}`, async () => {
        const json = accept.replace('application/yaml', 'application/json').replace(';pretty=1', '');
        const { body: list } = await server.request('GET', path, { accept: json });
        const body = await bodyOf(server, path, accept);
        assert.ok('start' in body, 'the list is streamed');
        const expected = accept.includes('yaml')
          ? printYaml(list)
          : accept.includes('pretty')
            ? indentJson(stringifyJson(list))
            : `${stringifyJson(list)}\n`;
        assert.equal((await new Reader(body).readAll()).toString(), expected);
      });
    }
  }

  for (const accept of protobufForms) {
    test(`that is streamed has the bytes of the list encoded at once: ${accept}`, async () => {
      const path = `${namespace}/configmaps`;
      const json = accept.replace(protobuf, 'application/json');
      const { body: list } = await server.request('GET', path, { accept: json });
      const body = await bodyOf(server, path, accept);
      assert.ok('start' in body, 'the list is streamed');
      assert.deepEqual(await new Reader(body).readAll(), Buffer.from(encodeProtobuf(list as unknown as KubeObject)));
    });
  }

  test('is encoded no further than its reader takes it, and ends when its reader disconnects', async () => {
    const held = heldBytes();
    for (const accept of [...textForms, ...protobufForms]) {
      const path = accept === protobuf ? `${namespace}/configmaps` : ledgers;
      const readers: Reader[] = [];
      for (let number = 0; number < readerCount; number++) {
        const body = await bodyOf(server, path, accept);
        assert.ok('start' in body, 'the list is streamed');
        readers.push(new Reader(body, true));
      }
      await turn();
      const encoded = readers.reduce((sum, { bytes }) => sum + bytes, 0);
      assert.ok(encoded <= readerCount * 20 * 1024, `${encoded} bytes were encoded as ${accept}`);
      assert.ok(heldBytes() <= 64 * 1024 * 1024, `${heldBytes()} bytes are kept as ${accept}`);
      for (const reader of readers) reader.close();
      assert.equal(heldBytes(), held);
    }
  });

  test('whose kept bytes exceed the limit continues where its reader stalled', async () => {
    const accept = 'application/yaml';
    const path = `${namespace}/configmaps`;
    const whole = await new Reader(streamOf(await bodyOf(server, path, accept))).readAll();
    const others: Reader[] = [];
    while (heldBytes() < 64 * 1024 * 1024 - 1024 * 1024) {
      others.push(new Reader(streamOf(await bodyOf(server, path, protobuf)), true));
    }
    const slow = Array.from({ length: 20 }, async () => new Reader(streamOf(await bodyOf(server, path, accept)), true));
    for (const reader of await Promise.all(slow)) assert.deepEqual(await reader.readAll(), whole);
    for (const reader of others) reader.close();
  });

  test('that is not read within the timeout of a request fails', async () => {
    const reader = new Reader(streamOf(await bodyOf(server, ledgers, 'application/json')), true);
    await server.clock.advance(59_999);
    assert.equal(reader.error, undefined);
    await server.clock.advance(1);
    assert.match(String(reader.error), /did not complete within the allotted timeout/);
  });
});

function nested(levels: number): JsonObject {
  return levels === 0 ? {} : { level: nested(levels - 1) };
}

async function bodyOf(server: TestServer, path: string, accept: string): Promise<ApiResponse['body']> {
  const { status, body } = await server.send('GET', path, { accept });
  assert.equal(status, 200);
  return body;
}

function streamOf(body: ApiResponse['body']): ResponseStream {
  assert.ok('start' in body, 'the list is streamed');
  return body;
}

/** Reads a list. A full reader signals backpressure after 16 KiB, until `readAll`. */
class Reader {
  readonly #chunks: Uint8Array[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #isFull: boolean;
  #drain: () => void = () => undefined;
  #close: () => void = () => undefined;
  bytes = 0;
  error: unknown;

  constructor(body: ResponseStream, isFull = false) {
    this.#isFull = isFull;
    const sink: StreamSink = {
      write: (chunk) => {
        this.#chunks.push(chunk);
        this.bytes += chunk.length;
        return !this.#isFull || this.bytes < 16 * 1024;
      },
      end: () => this.#ended.resolve(),
      fail: (error) => {
        this.error = error;
      },
      onDrain: (listener) => {
        this.#drain = listener;
      },
      onClose: (listener) => {
        this.#close = listener;
      },
    };
    body.start(sink);
  }

  async readAll(): Promise<Buffer> {
    if (this.#isFull) {
      this.#isFull = false;
      this.#drain();
    }
    await this.#ended.promise;
    return Buffer.concat(this.#chunks);
  }

  close(): void {
    this.#close();
  }
}
