import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { after, describe, test } from 'node:test';
import { createGzip } from 'node:zlib';
import { discover, type Client } from '@flotilla/client';
import { pods } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { clientFor, key, pod, scriptedServer, sendObject, tcpServer, type Answer } from './scripted-server.ts';

const limits = { object: 64 * 1024, list: 256 * 1024, other: 64 * 1024 };

describe('a client', () => {
  const toClose: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of toClose.toReversed()) await close();
  });

  const start = async (answer: Answer, options: Parameters<typeof clientFor>[1] = { limits }): Promise<Client> => {
    const server = await scriptedServer(answer);
    const client = await clientFor(server.url, options);
    toClose.push(server.close, () => client.close());
    return client;
  };

  /** Answers that begin in some way and never end; `closed` resolves when the client wants no more. */
  const endless = (beginning: string, rest: string, status = 200) => {
    const closed = Promise.withResolvers<void>();
    let sent = 0;
    const answer: Answer = (stream) => {
      stream.respond({ ':status': status, 'content-type': 'application/json' });
      stream.once('close', closed.resolve);
      stream.write(beginning);
      void pour(stream, Buffer.from(rest.repeat(Math.ceil(16_384 / rest.length))), (bytes) => (sent += bytes));
    };
    return { answer, closed: closed.promise, sent: () => sent };
  };

  const reads: readonly [string, string, string, (client: Client) => Promise<unknown>][] = [
    ['object', '{"metadata":{"name":"', 'x', (client) => client.get(pods, key)],
    ['object that was written', '{"metadata":{"name":"', 'x', (client) => client.create(pods, pod)],
    ['list of many objects', '{"items":[{"metadata":{}}', ',{"metadata":{}}', (client) => client.list(pods)],
    ['list with one object', '{"items":[{"metadata":{"name":"', 'x', (client) => client.list(pods)],
    ['list with nothing in it', '{"metadata":{"continue":"', 'x', (client) => client.list(pods)],
    ['list of lists', '{"a":[]', ',"a":[]', (client) => client.list(pods)],
    ['event', '{"type":"ADDED","object":{"metadata":{"name":"', 'x', firstEvent],
    ['version', '{"gitVersion":"', 'x', (client) => client.request({ method: 'GET', path: '/version' })],
  ];
  for (const [what, beginning, rest, read] of reads) {
    test(`limits ${what}, and cancels the rest`, async () => {
      const { answer, closed, sent } = endless(beginning, rest);
      const client = await start(answer);
      await assert.rejects(read(client), { name: 'ResponseTooLarge', reached: 'cut' });
      await closed;
      // The windows of the connection hold what is in flight when the limit is met.
      assert.ok(sent() < 16 * 1024 * 1024, `${sent()} bytes were sent`);
    });
  }

  test('has default limits', async () => {
    const { answer } = endless('{"metadata":{"name":"', 'x');
    await assert.rejects((await start(answer, {})).get(pods, key), { limitBytes: 16 * 1024 * 1024 });
  });

  test('uses only the status line of an endless error', async () => {
    const { answer, closed } = endless('{"kind":"Status","status":"Failure","code":404,"message":"', 'x', 403);
    const client = await start(answer);
    await assert.rejects(client.get(pods, key), { name: 'ApiError', code: 403, reason: 'Forbidden' });
    await closed;
  });

  test('limits the size after decompression', async () => {
    const client = await start(
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-encoding': 'gzip' });
        const zip = createGzip();
        zip.pipe(stream);
        void pour(zip, Buffer.alloc(1024 * 1024, ' '), () => undefined);
        stream.once('close', () => zip.destroy());
      },
      { limits, compression: true },
    );
    await assert.rejects(client.get(pods, key), { name: 'ResponseTooLarge' });
  });

  test('times out if no response begins', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await tcpServer((socket) => socket.once('data', () => asked.resolve()));
    const clock = new ManualClock();
    const client = await clientFor(`http://127.0.0.1:${server.port}`, { clock });
    toClose.push(server.close, () => client.close());
    const refused = assert.rejects(client.create(pods, pod), { reached: 'cut', message: /no response within 120 s$/ });
    await asked.promise;
    await clock.advance(120_000);
    await refused;
  });

  test('throws if a list repeats its continue token', async () => {
    let asked = 0;
    const client = await start((stream) => {
      asked++;
      sendObject(stream, { items: [pod], metadata: { resourceVersion: '1', continue: 'again' } });
    });
    await assert.rejects(Array.fromAsync(client.each(pods)), {
      name: 'ConnectionError',
      message: /same continue token/,
    });
    assert.equal(asked, 2);
  });

  const wrong: readonly [string, unknown][] = [
    ['a list', []],
    ['a text', 'hello'],
    ['no metadata', { kind: 'Pod' }],
    ['metadata that are none', { metadata: 'web' }],
    ['a name that is none', { metadata: { name: { first: 'web' } } }],
    ['a revision that is none', { metadata: { name: 'web', resourceVersion: 7 } }],
  ];
  for (const [what, value] of wrong) {
    test(`refuses an object that is ${what}, alone, in a list and in an event`, async () => {
      const text = JSON.stringify(value);
      const client = await start((stream, { ':path': path = '' }) => {
        stream.respond({ ':status': 200, 'content-type': 'application/json' });
        if (path.includes('watch=true')) stream.end(`{"type":"ADDED","object":${text}}\n`);
        else stream.end(path.endsWith('/web') ? text : `{"items":[${text}]}`);
      });
      await assert.rejects(client.get(pods, key), { name: 'ConnectionError', reached: 'cut' });
      await assert.rejects(firstEvent(client), { name: 'ConnectionError', reached: 'cut' });
      // A value that is not an object is not an item.
      if (text.startsWith('{')) await assert.rejects(client.list(pods), { name: 'ConnectionError', reached: 'cut' });
      else assert.deepEqual((await client.list(pods)).items, []);
    });
  }

  test('ignores fields of a Status that have a wrong type', async () => {
    const status = { kind: 'Status', status: 'Failure', message: 5, reason: {}, code: 'x' };
    const details = { causes: 7, retryAfterSeconds: 'soon', name: 3 };
    const client = await start((stream) => sendObject(stream, { ...status, metadata: 1, details }, 410));
    await assert.rejects(client.get(pods, key), {
      name: 'ApiError',
      message: '',
      status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', details: {}, code: 410 },
    });
  });

  test('refuses nesting that would overflow the stack', async () => {
    const client = await start((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/json' });
      // A number of so many digits is read by the exact reader.
      stream.end(`{"metadata":{},"n":1234567890123456789,"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    });
    await assert.rejects(client.get(pods, key), { name: 'ConnectionError', reached: 'cut' });
  });

  test('keeps a key named __proto__ in an item', async () => {
    const client = await start((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/json' });
      stream.end('{"items":[{"metadata":{"name":"web"},"__proto__":{"spec":{}}}]}');
    });
    const [item] = (await client.list(pods)).items;
    assert.equal(Object.getPrototypeOf(item), Object.prototype);
  });

  test('discovers kinds in malformed documents, in linear time', async () => {
    const resources = Array.from({ length: 40_000 }, (_, index) => ({
      name: index % 2 === 0 ? `r${index}` : `r${index - 1}/status`,
      kind: 'R',
      verbs: ['get'],
    }));
    const client = await start((stream, { ':path': path }) => {
      if (path === '/api') sendObject(stream, { versions: ['v1'] });
      else if (path === '/apis') sendObject(stream, { groups: 'none' });
      else sendObject(stream, { resources });
    }, {});
    const { kinds } = await discover(client).all();
    assert.equal(kinds.length, 20_000);
    assert.deepEqual(kinds.at(-1)?.subresources, [{ name: 'status', verbs: ['get'] }]);
  });

  test('limits the number of API versions', async () => {
    const paths = new Set<string>();
    const versions = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    const client = await start((stream, { ':path': path = '' }) => {
      paths.add(path);
      sendObject(stream, path === '/api' ? { versions } : {});
    }, {});
    await assert.rejects(discover(client).all(), { name: 'ConnectionError', message: /100000 API versions/ });
    assert.deepEqual([...paths].sort(), ['/api', '/apis']);
  });
});

function firstEvent(client: Client): Promise<unknown> {
  return client.watch(pods, { signal: new AbortController().signal })[Symbol.asyncIterator]().next();
}

/** Writes the same chunk as fast as the client reads it, until the stream is closed. */
async function pour(to: Duplex, piece: Buffer, wrote: (bytes: number) => void): Promise<void> {
  const closed = once(to, 'close');
  while (!to.destroyed) {
    wrote(piece.length);
    if (!to.write(piece)) await Promise.race([once(to, 'drain'), closed]).catch(() => undefined);
  }
}
