import assert from 'node:assert/strict';
import { constants, type ServerHttp2Session } from 'node:http2';
import { after, describe, test } from 'node:test';
import { ConnectionError, type Client } from '@flotilla/client';
import { pods } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import {
  clientFor,
  key,
  pod,
  rawServer,
  scriptedServer,
  sendObject,
  sendPart,
  tcpServer,
  type Answer,
} from './scripted-server.ts';

const event = `${JSON.stringify({ type: 'ADDED', object: pod })}\n`;

describe('connections to an HTTP/2 server', () => {
  const toClose: (() => Promise<void>)[] = [];
  after(async () => {
    for (const close of toClose.toReversed()) await close();
  });

  const start = async (answer: Answer, options: Parameters<typeof clientFor>[1] = {}, maxStreams?: number) => {
    const server = await scriptedServer(answer, maxStreams);
    const client = await clientFor(server.url, options);
    toClose.push(server.close, () => client.close());
    return { server, client };
  };

  test('all requests share one connection', async () => {
    const { server, client } = await start((stream) => sendObject(stream, pod));
    await Promise.all(Array.from({ length: 50 }, () => client.get(pods, key)));
    assert.equal(server.sessions.length, 1);
  });

  test('requests start with the path prefix of the server URL', async () => {
    const paths: (string | undefined)[] = [];
    const { server } = await start((stream, { ':path': path }) => {
      paths.push(path);
      sendObject(stream, pod);
    });
    for (const path of ['', '/', '/clusters/paris', '/clusters/paris/']) {
      const client = await clientFor(`${server.url}${path}`);
      await client.get(pods, key);
      await client.close();
    }
    const target = '/api/v1/namespaces/default/pods/web';
    assert.deepEqual(paths, [target, target, `/clusters/paris${target}`, `/clusters/paris${target}`]);
  });

  test('a second connection opens when watches fill the first', async () => {
    const answer: Answer = (stream, { ':path': path }) =>
      path?.includes('watch=true') === true ? sendPart(stream, event) : sendObject(stream, pod);
    const { server, client } = await start(answer, {}, 2);
    const stop = new AbortController();
    const first = async (): Promise<unknown> =>
      client.watch(pods, { signal: stop.signal })[Symbol.asyncIterator]().next();
    await Promise.all([first(), first(), first()]);
    assert.deepEqual(await client.get(pods, key), pod);
    assert.equal(server.sessions.length, 2);
    stop.abort();
  });

  test('a refused request is retried, even a write', async () => {
    let refusals = 0;
    const { client } = await start((stream) => {
      if (refusals++ < 2) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else sendObject(stream, pod, 201);
    });
    assert.deepEqual(await client.create(pods, pod), pod);
    assert.equal(refusals, 3);
  });

  test('a request fails after repeated refusals', async () => {
    const { client } = await start((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
    await assert.rejects(client.create(pods, pod), { name: 'ConnectionError', reached: 'refused' });
  });

  test('no request is lost during GOAWAY', async () => {
    const requests = new Map<ServerHttp2Session, number>();
    const { server, client } = await start((stream, _headers, session) => {
      const count = (requests.get(session) ?? 0) + 1;
      requests.set(session, count);
      if (count === 40) session.goaway();
      setImmediate(() => !stream.destroyed && sendObject(stream, pod));
    });
    const many = Array.from({ length: 100 }, () => client.create(pods, pod));
    assert.equal((await Promise.all(many)).length, 100);
    for (let at = 0; at < 60; at++) await client.create(pods, pod);
    assert.ok(server.sessions.length > 2);
  });

  test('a watch continues after GOAWAY while new requests use another connection', async () => {
    const { server, client } = await start((stream, { ':path': path }, session) => {
      if (path?.includes('watch=true') !== true) return sendObject(stream, pod);
      sendPart(stream, event);
      session.goaway();
      void continueWatch.then(() => stream.end(event));
    });
    let goOn: () => void = () => undefined;
    const continueWatch = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const seen: string[] = [];
    for await (const { type } of client.watch(pods, { signal: new AbortController().signal })) {
      seen.push(type);
      await client.get(pods, key);
      goOn();
    }
    assert.deepEqual(seen, ['ADDED', 'ADDED']);
    assert.equal(server.sessions.length, 2);
  });

  test('a write whose connection was cut is reported, not retried', async () => {
    let requests = 0;
    const { client } = await start((_stream, _headers, session) => {
      requests++;
      session.destroy();
    });
    await assert.rejects(client.create(pods, pod), { name: 'ConnectionError', reached: 'cut' });
    assert.equal(requests, 1);
  });

  test('a read whose connection was cut is retried a second later', async () => {
    const clock = new ManualClock();
    let requests = 0;
    const { client } = await start(
      (stream, _headers, session) => {
        if (requests++ === 0) session.destroy();
        else sendObject(stream, pod);
      },
      { clock, random: () => 0 },
    );
    const got = client.get(pods, key);
    assert.deepEqual(await clock.advanceUntil(got), pod);
    assert.equal(requests, 2);
  });

  test('a cut watch delivers its events and then throws', async () => {
    const { client } = await start((stream, _headers, session) => {
      sendPart(stream, event);
      setImmediate(() => setImmediate(() => session.destroy()));
    });
    assert.deepEqual(await watched(client), ['ADDED', 'ConnectionError']);
  });

  test('an incomplete event is an error', async () => {
    const { client } = await start((stream) => {
      sendPart(stream, event + event.slice(0, 20));
      stream.end();
    });
    const [first, second] = await watched(client, (error) => (error as Error).message);
    assert.deepEqual([first, second], ['ADDED', 'the watch was cut in the middle of an event']);
  });

  test('events may be chunked anywhere', async () => {
    const { client } = await start((stream) => {
      stream.respond({ ':status': 200 });
      const bytes = Buffer.from(event.replace('web', 'wéb') + event);
      void (async () => {
        for (const byte of bytes) {
          stream.write(Buffer.from([byte]));
          await nextTurn();
        }
        stream.end();
      })();
    });
    assert.deepEqual(await watched(client), ['ADDED', 'ADDED']);
  });

  test('an ERROR event is thrown', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 };
    const { client } = await start((stream) => {
      sendPart(stream, event);
      stream.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    });
    const seen = await watched(client, (error) => (error as { code: number }).code);
    assert.deepEqual(seen, ['ADDED', 410]);
  });

  test('an aborted request is cancelled at the server', async () => {
    const stop = new AbortController();
    const cancelled = Promise.withResolvers<number>();
    const { client } = await start((stream) => {
      stream.on('close', () => cancelled.resolve(stream.rstCode));
      stop.abort(new Error('enough'));
    });
    await assert.rejects(client.get(pods, key, { signal: stop.signal }), { message: 'enough' });
    assert.equal(await cancelled.promise, constants.NGHTTP2_CANCEL);
  });

  test('a reader that stops cancels the rest', async () => {
    const cancelled = Promise.withResolvers<number>();
    const { client } = await start((stream) => {
      stream.on('close', () => cancelled.resolve(stream.rstCode));
      sendPart(stream, event);
    });
    for await (const _event of client.watch(pods, { signal: new AbortController().signal })) break;
    assert.equal(await cancelled.promise, constants.NGHTTP2_CANCEL);
  });

  test('a slow reader slows the server and does not fill the memory', async () => {
    const total = 64 * 1024 * 1024;
    const line = Buffer.from(
      event
        .padEnd(64 * 1024, ' ')
        .replace(/\n/, ' ')
        .slice(0, -1) + '\n',
    );
    let written = 0;
    const { client } = await start((stream) => {
      stream.respond({ ':status': 200 });
      const pump = (): void => {
        while (written < total) {
          written += line.length;
          if (!stream.write(line)) return void stream.once('drain', pump);
        }
        stream.end();
      };
      pump();
    });
    const watch = client.watch(pods, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    await watch.next();
    // Until the server has written nothing for many turns.
    for (let before = -1, turns = 0; turns < 200; turns++) {
      if (before !== written) turns = 0;
      before = written;
      await nextTurn();
    }
    assert.ok(written < 16 * 1024 * 1024, `${written} bytes were taken`);
    let count = 1;
    for (let next = await watch.next(); next.done !== true; next = await watch.next()) count++;
    assert.equal(count, total / line.length);
  });

  test('a closed client ends its watches and sends nothing more', async () => {
    const { client } = await start((stream) => sendPart(stream, event));
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const { type } of client.watch(pods, { signal: new AbortController().signal })) {
        seen.push(type);
        await client.close();
      }
    }, ConnectionError);
    assert.deepEqual(seen, ['ADDED']);
    await assert.rejects(client.get(pods, key), { reached: 'unreachable', message: 'the client is closed' });
  });

  test('an idle connection is closed, and one with a quiet watch is not', async () => {
    const clock = new ManualClock();
    const answer: Answer = (stream, { ':path': path }) =>
      path?.includes('watch=true') === true ? sendPart(stream, event) : sendObject(stream, pod);
    const { server, client } = await start(answer, { clock });
    const quiet = async (): Promise<void> => {
      // A real server answers pings, so the clock advances in small steps.
      for (let passed = 0; passed < 180; passed += 5) {
        await clock.advance(5_000);
        for (let turn = 0; turn < 20; turn++) await nextTurn();
      }
    };
    const stop = new AbortController();
    const watch = client.watch(pods, { signal: stop.signal })[Symbol.asyncIterator]();
    await watch.next();
    await quiet();
    await client.get(pods, key);
    assert.equal(server.sessions.length, 1);
    stop.abort();
    await watch.next();
    await quiet();
    await client.get(pods, key);
    assert.equal(server.sessions.length, 2);
  });

  test('a client reconnects to a restarted server', async () => {
    const first = await scriptedServer((stream) => sendObject(stream, pod));
    const client = await clientFor(first.url);
    await client.get(pods, key);
    await first.close();
    await assert.rejects(client.create(pods, pod), { name: 'ConnectionError', reached: 'unreachable' });
    const second = await scriptedServer((stream) => sendObject(stream, pod), 100, first.port);
    toClose.push(second.close, () => client.close());
    assert.deepEqual(await client.create(pods, pod), pod);
  });

  test('a response that is not JSON is a ConnectionError', async () => {
    const { client } = await start((stream) => {
      sendPart(stream, '{"kind":');
      stream.end();
    });
    await assert.rejects(client.get(pods, key), { name: 'ConnectionError', message: /not JSON/ });
  });
});

describe('a silent server', () => {
  test('times out if it does not answer a ping', async () => {
    const clock = new ManualClock();
    const requested = Promise.withResolvers<void>();
    const server = await rawServer(['h2'], (socket) => socket.on('data', () => requested.resolve()));
    const client = await clientFor(server.url, { clock });
    const message = /did not answer a ping within 15 s/;
    const failed = assert.rejects(client.create(pods, pod), { name: 'ConnectionError', message });
    await requested.promise;
    await clock.advance(30_000);
    await clock.advance(15_000);
    await failed;
    await client.close();
    await server.close();
  });

  test('times out during the handshake', async () => {
    const clock = new ManualClock();
    const accepted = Promise.withResolvers<void>();
    const server = await tcpServer(() => accepted.resolve());
    const client = await clientFor(server.url, { clock });
    const got = client.get(pods, key);
    await accepted.promise;
    await assert.rejects(clock.advanceUntil(got), {
      reached: 'unreachable',
      message: /cannot connect to https:\S+: timed out after 10 s/,
    });
    await server.close();
  });

  test('can be aborted before it answers', async () => {
    const accepted = Promise.withResolvers<void>();
    const server = await tcpServer(() => accepted.resolve());
    const client = await clientFor(server.url);
    const stop = new AbortController();
    const got = client.get(pods, key, { signal: stop.signal });
    await accepted.promise;
    stop.abort(new Error('too slow'));
    await assert.rejects(got, { message: 'too slow' });
    await client.close();
    await server.close();
  });

  test('is unreachable if no process listens', async () => {
    const server = await tcpServer(() => undefined);
    await server.close();
    const client = await clientFor(server.url);
    await assert.rejects(client.get(pods, key), { reached: 'unreachable', message: /ECONNREFUSED/ });
  });
});

/** Types of events and, if the watch failed, the reason. */
async function watched(client: Client, word: (error: unknown) => unknown = nameOf): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const { type } of client.watch(pods, { signal: new AbortController().signal })) seen.push(type);
  } catch (error) {
    seen.push(word(error));
  }
  return seen;
}

function nameOf(error: unknown): string {
  return (error as Error).name;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
