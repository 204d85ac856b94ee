import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import {
  administrator,
  BytesBody,
  type ApiHandler,
  type ApiRequest,
  type BuiltinsView,
  type StreamSink,
  type User,
} from '@flotilla/kube';
import { createClient } from '../create-client.ts';
import { readBytes } from '../read-body.ts';
import type { TransportRequest } from '../transport.ts';
import { inProcessTransport } from './in-process-transport.ts';

const user = { name: 'jane', groups: ['system:authenticated'] };
const request: TransportRequest = {
  method: 'GET',
  path: '/api',
  query: 'a=b',
  headers: { accept: 'application/json' },
};

describe('requests in process', () => {
  test('reach the handler in the form of HTTP requests', async () => {
    const seen: ApiRequest[] = [];
    const transport = inProcessTransport((each) => {
      seen.push(each);
      return { status: 200, headers: { warning: ['a', 'b'] }, body: [Buffer.from('1'), Buffer.from('2')] };
    }, user);
    const headers = { 'impersonate-group': ['x', 'y,z'] };
    const response = await transport.send({ ...request, headers, body: new BytesBody(Buffer.from('body')) });
    const [{ method, path, query, user: asking, headers: carried, headerLists } = {} as ApiRequest] = seen;
    assert.deepEqual([method, path, query, asking], ['GET', '/api', 'a=b', user]);
    assert.deepEqual(carried, { 'impersonate-group': 'x, y,z' });
    assert.deepEqual(headerLists, headers);
    assert.equal(String(await seen[0]?.body(4)), 'body');
    await assert.rejects(async () => seen[0]?.body(3), { name: 'ApiError', code: 413 });
    assert.deepEqual([response.headers['warning'], String(await readBytes(response.body, 4096))], ['a, b', '12']);
  });

  test("leave no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const atOnce: ApiHandler = () => ({ status: 200, headers: {}, body: Buffer.from('x') });
    const later: ApiHandler = async (each) => {
      assert.equal(each.signal.aborted, false);
      return atOnce(each);
    };
    for (const handler of [atOnce, later]) {
      const { body } = await inProcessTransport(handler, user).send({ ...request, signal });
      await readBytes(body, 4096);
    }
    const { sink, transport } = streaming();
    const { body } = await transport.send({ ...request, signal });
    sink().end();
    await readBytes(body, 4096);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  test('abort their signal when the caller aborts', async () => {
    const stop = new AbortController();
    let received: AbortSignal | undefined;
    const never: ApiHandler = ({ signal }) => {
      received = signal;
      return new Promise(() => undefined);
    };
    const failed = assert.rejects(inProcessTransport(never, user).send({ ...request, signal: stop.signal }), {
      message: 'enough',
    });
    stop.abort(new Error('enough'));
    await failed;
    assert.equal(received?.aborted, true);
  });

  test('end with the client', async () => {
    const { transport, sink } = streaming();
    const { body } = await transport.send(request);
    sink().write(Buffer.from('1'));
    await transport.close();
    await assert.rejects(readBytes(body, 4096), { name: 'ConnectionError' });
    await assert.rejects(transport.send(request), { name: 'ConnectionError', message: 'the client is closed' });
  });

  test('end with the client while they wait, and those that are over do not', async () => {
    const answers: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const transport = inProcessTransport((each) => {
      signals.push(each.signal);
      return new Promise((resolve) =>
        answers.push(() => resolve({ status: 200, headers: {}, body: Buffer.from('x') })),
      );
    }, user);
    const sent = Array.from({ length: 3 }, () => transport.send(request));
    answers[0]?.();
    await sent[0];
    await transport.close();
    for (const waiting of sent.slice(1)) await assert.rejects(waiting, { message: 'the client is closed' });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, true, true],
    );
  });

  test('fail as cut if the handler throws', async () => {
    const broken: ApiHandler = () => Promise.reject(new Error('oh'));
    await assert.rejects(inProcessTransport(broken, user).send(request), {
      name: 'ConnectionError',
      reached: 'cut',
      message: 'the server failed without a response: oh',
    });
  });

  test('apply back pressure to the server if the reader is slow', async () => {
    const { transport, sink, drained } = streaming();
    const { body } = await transport.send(request);
    const piece = new Uint8Array(100 * 1024);
    let pushed = 1;
    while (sink().write(piece)) pushed++;
    assert.ok(pushed * piece.length < 2 * 1024 * 1024);
    const reader = body[Symbol.asyncIterator]();
    for (let at = 0; at < pushed; at++) await reader.next();
    assert.equal(drained(), 1);
  });

  test('abort their signal when the reader stops', async () => {
    const { transport, closed } = streaming();
    const { body } = await transport.send(request);
    await body[Symbol.asyncIterator]().return?.();
    assert.equal(closed(), 1);
  });

  test('open a view with the identity of their user', () => {
    const seen: ApiRequest[] = [];
    const transport = inProcessTransport(
      () => ({ status: 200, headers: {}, body: new Uint8Array() }),
      user,
      (each) => void seen.push(each),
    );
    assert.equal(transport.view?.(request), undefined);
    assert.deepEqual([seen[0]?.path, seen[0]?.user], ['/api', user]);
  });

  test('view all built-in kinds only for users that may do everything, and not for those that they impersonate', () => {
    const handler = () => ({ status: 200, headers: {}, body: new Uint8Array() });
    const viewBuiltins = (): BuiltinsView => assert.fail('opened');
    const clientOf = (asked: User, options = {}) =>
      createClient(inProcessTransport(handler, asked, undefined, viewBuiltins), options);
    const master = clientOf(administrator);
    assert.notEqual(master.viewBuiltins, undefined);
    assert.equal(master.as({ user: 'anna' }).viewBuiltins, undefined);
    assert.equal(clientOf(administrator, { impersonate: { user: 'anna' } }).viewBuiltins, undefined);
    assert.equal(clientOf(user).viewBuiltins, undefined);
  });
});

/** A transport to a server whose responses are streams that the test controls. */
function streaming() {
  let waitUntilOpen: StreamSink | undefined;
  let [drained, closed] = [0, 0];
  const transport = inProcessTransport(
    () => ({
      status: 200,
      headers: {},
      body: {
        isCompressible: false,
        start: (sink) => {
          waitUntilOpen = sink;
          sink.onDrain(() => drained++);
          sink.onClose(() => closed++);
        },
      },
    }),
    user,
  );
  const sink = (): StreamSink => {
    assert.ok(waitUntilOpen);
    return waitUntilOpen;
  };
  return { transport, sink, drained: () => drained, closed: () => closed };
}
