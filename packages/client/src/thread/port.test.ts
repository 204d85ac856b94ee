import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import {
  BytesBody,
  apiErrors,
  type ApiError,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type StreamSink,
} from '@flotilla/kube';
import { LoopTurns } from '@flotilla/timing';
import { readBytes } from '../read-body.ts';
import { inProcessTransport } from '../in-process/in-process-transport.ts';
import type { Transport, TransportRequest } from '../transport.ts';
import { PortCaller } from './port-caller.ts';
import { servePort } from './serve-port.ts';

const user = { name: 'jane', groups: ['system:authenticated'] };
const request: TransportRequest = { method: 'GET', path: '/api', query: 'a=b', headers: {} };
const ok: ApiResponse = { status: 200, headers: {}, body: Buffer.from('{}') };

interface Pair {
  readonly caller: PortCaller;
  readonly transport: Transport;
  /** Ends the thread of the server. */
  readonly end: () => Promise<void>;
}

function pair(context: TestContext, handler: ApiHandler): Pair {
  const { port1, port2 } = new MessageChannel();
  context.after(() => port1.close());
  const turns = new LoopTurns();
  servePort(port1, (server) => (server === 'oslo' ? handler : () => ({ ...ok, status: 404 })), turns);
  const caller = new PortCaller(port2, turns);
  const end = async (): Promise<void> => {
    const closed = once(port2, 'close');
    port1.close();
    await closed;
  };
  return { caller, transport: inProcessTransport(caller.handlerOf('oslo'), user), end };
}

describe('requests through a port', () => {
  test('reach the server that they name, with all that it needs to know', async (context) => {
    const seen: ApiRequest[] = [];
    const { caller, transport } = pair(context, (each) => {
      seen.push(each);
      const identity = { name: 'web', uid: 'u', resourceVersion: '7' };
      return {
        status: 201,
        headers: { warning: ['a', 'b'] },
        body: [Buffer.from('1'), Buffer.from('2')],
        identity: () => identity,
      };
    });
    const headers = { 'impersonate-group': ['x', 'y,z'] };
    const part = Buffer.from('not the body').subarray(8);
    const response = await transport.send({ ...request, headers, body: new BytesBody(part) });
    const [{ method, path, query, user: asking, headerLists, receivedBody } = {} as ApiRequest] = seen;
    assert.deepEqual([method, path, query, asking, headerLists], ['GET', '/api', 'a=b', user, headers]);
    assert.deepEqual(receivedBody?.bytes, new Uint8Array(part));
    assert.deepEqual([response.status, response.headers['warning']], [201, 'a, b']);
    assert.equal(Buffer.from(await readBytes(response.body, 4096)).toString(), '12');
    assert.equal(response.identity?.().uid, 'u');
    const elsewhere = inProcessTransport(caller.handlerOf('rome'), user);
    assert.equal((await elsewhere.send(request)).status, 404);
  });

  test('bring no object to a caller that wants its identity alone, but any other answer', async (context) => {
    const identity = { name: 'web', uid: 'u', resourceVersion: '7' };
    let answer: ApiResponse = { ...ok, identity: () => identity };
    const { transport } = pair(context, () => answer);
    const sent = { ...request, wantsIdentity: true };
    const stored = await transport.send(sent);
    assert.deepEqual([stored.identity?.(), (await readBytes(stored.body, 4096)).length], [identity, 0]);
    answer = { ...ok, status: 409 };
    const refused = await transport.send(sent);
    assert.deepEqual(
      [refused.identity, Buffer.from(await readBytes(refused.body, 4096)).toString()],
      [undefined, '{}'],
    );
  });

  test('send a body when the server asks for it, or why there is none', async (context) => {
    const bodies: (string | undefined)[] = [];
    const { caller } = pair(context, async (each) => {
      bodies.push(await each.body(4).then(String, ({ message }: Error) => message));
      return ok;
    });
    const { signal } = new AbortController();
    const sent = { ...request, user, headers: {}, signal };
    const handle = caller.handlerOf('oslo');
    await handle({ ...sent, body: async () => Buffer.from('body') });
    await handle({ ...sent, body: (limit) => Promise.reject(apiErrors.requestEntityTooLarge(`limit is ${limit}`)) });
    await handle({ ...sent, body: () => Promise.reject(new Error('aborted')) });
    await handle({ ...sent, receivedBody: new BytesBody(Buffer.from('12345')), body: () => assert.fail() });
    assert.deepEqual(bodies, [
      '98,111,100,121',
      'Request entity too large: limit is 4',
      'aborted',
      'Request entity too large: limit is 4',
    ]);
  });

  test('refuse bodies that together take too much memory, until others have arrived', async (context) => {
    const { caller } = pair(context, async (each) => {
      const refused = await each.body(10).then(
        () => undefined,
        (error: ApiError) => error.code,
      );
      return { ...ok, status: refused ?? 200 };
    });
    const { promise: rest, resolve: goOn } = Promise.withResolvers<void>();
    const sent = { ...request, user, headers: {}, signal: new AbortController().signal };
    /** Of so many bytes, as their meter learns. */
    const send = async (bytes: number, until?: Promise<void>): Promise<number> => {
      const body: ApiRequest['body'] = async (_limit, meter) => {
        meter?.received(bytes);
        await until;
        return new Uint8Array();
      };
      return (await caller.handlerOf('oslo')({ ...sent, body })).status;
    };
    const first = send(40 * 1024 * 1024, rest);
    assert.equal(await send(40 * 1024 * 1024), 429);
    goOn();
    assert.deepEqual([await first, await send(40 * 1024 * 1024)], [200, 200]);
  });

  test('fail if the server fails without an answer', async (context) => {
    const { transport } = pair(context, (each) => {
      if (each.path === '/api') throw new Error('oh');
      return Promise.reject(new Error('no'));
    });
    await assert.rejects(transport.send(request), { message: 'the server failed without a response: oh' });
    await assert.rejects(transport.send({ ...request, path: '/' }), {
      message: 'the server failed without a response: no',
    });
  });

  test('abort their signal when the caller stops waiting', async (context) => {
    const { promise: received, resolve } = Promise.withResolvers<ApiRequest>();
    const { transport } = pair(context, (each) => {
      resolve(each);
      return new Promise(() => undefined);
    });
    const stop = new AbortController();
    const failed = assert.rejects(transport.send({ ...request, signal: stop.signal }), { message: 'enough' });
    const { signal } = await received;
    stop.abort(new Error('enough'));
    await failed;
    if (!signal.aborted) await once(signal, 'abort');
    // A signal that is first asked for now is aborted, too.
    assert.ok((await received).signal.aborted);
  });

  test('end with the thread of the server', async (context) => {
    const { transport, end } = pair(context, ({ path }) =>
      path === '/watch'
        ? { ...ok, body: { isCompressible: false, start: (sink) => void sink.write(Buffer.from('1')) } }
        : new Promise(() => undefined),
    );
    const { body } = await transport.send({ ...request, path: '/watch' });
    const failed = assert.rejects(transport.send(request), /the thread of the server has ended/);
    await end();
    await failed;
    await assert.rejects(readBytes(body, 4096), /the thread of the server has ended/);
    await assert.rejects(transport.send(request), /the thread of the server has ended/);
  });
});

describe('a stream through a port', () => {
  test('arrives in order, and ends', async (context) => {
    const { transport } = pair(context, () =>
      streamed((sink) => {
        for (const text of '12') sink.write(Buffer.from(text));
        setImmediate(() => {
          sink.write(Buffer.from('3'));
          sink.end();
        });
      }),
    );
    const { body } = await transport.send(request);
    assert.equal(String(await readBytes(body, 4096)), '123');
  });

  test('fails if the server fails in the middle', async (context) => {
    const { transport } = pair(context, () =>
      streamed((sink) => {
        sink.write(Buffer.from('1'));
        sink.fail(new Error('oh'));
      }),
    );
    const { body } = await transport.send(request);
    await assert.rejects(readBytes(body, 4096), { message: 'oh' });
  });

  test('waits for a slow reader, and goes on after it', async (context) => {
    const piece = new Uint8Array(256 * 1024);
    const { promise: opened, resolve } = Promise.withResolvers<StreamSink>();
    const { transport } = pair(context, () => streamed(resolve));
    const { body } = await transport.send(request);
    const sink = await opened;
    const { promise: drained, resolve: goOn } = Promise.withResolvers<void>();
    sink.onDrain(goOn);
    let written = 1;
    while (sink.write(piece)) written++;
    assert.ok(written * piece.length < 4 * 1024 * 1024);
    const reader = body[Symbol.asyncIterator]();
    for (let at = 0; at < written; at++) await reader.next();
    await drained;
    sink.end();
    assert.deepEqual(await reader.next(), { value: undefined, done: true });
  });

  test('tells the server when its reader stops', async (context) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { transport } = pair(context, () => streamed((sink) => sink.onClose(resolve)));
    const { body } = await transport.send(request);
    await body[Symbol.asyncIterator]().return?.();
    await closed;
  });
});

function streamed(start: (sink: StreamSink) => void): ApiResponse {
  return { ...ok, body: { isCompressible: false, start } };
}
