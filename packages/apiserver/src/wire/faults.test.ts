/** Unexpected exceptions, over real sockets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { lineLogger, MetricsRegistry, type ApiHandler, type ApiResponse, type StreamSink } from '@flotilla/kube';
import { freshCredentials } from '../credentials/credentials.ts';
import { RequestObserver } from '../metrics/request-observer.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { builtinCatalog } from '../resources/builtin-resources.ts';
import { Registry } from '../resources/registry.ts';
import { listen, type Listener } from './listener.ts';
import { requestInfo } from '../request/request-info.ts';

const watchTarget = '/api/v1/configmaps?watch=1';

describe('an unexpected exception', () => {
  let listener: Listener;
  let authority = '';
  let session: ClientHttp2Session;
  const lines: string[] = [];
  const metrics = new MetricsRegistry();
  /** What each test breaks. */
  let authenticate: () => undefined = () => undefined;
  let handle: ApiHandler = () => ok('');

  before(async () => {
    const { server: identity } = await freshCredentials(['127.0.0.1'], new Date());
    authority = identity.authority;
    const logger = lineLogger({ write: (line) => lines.push(line), now: () => new Date(0), form: 'json' });
    const observer = new RequestObserver(new RequestMetrics(metrics, new Registry(builtinCatalog())), logger);
    listener = await listen({
      handle: (each) => {
        const info = requestInfo(each.method, each.path, each.query);
        return each.path.includes('observer') ? observer.observe(each, info, () => handle(each)) : handle(each);
      },
      authenticate: () => authenticate(),
      reportFault: (failed, error) => observer.reportFault(failed, error),
      identity,
      host: '127.0.0.1',
      port: 0,
      now: Date.now,
    });
    session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority });
  });
  after(async () => {
    session.destroy();
    await listener.close(0);
  });

  function ok(text: string): ApiResponse {
    return { status: 200, headers: {}, body: Buffer.from(text) };
  }

  /** Over HTTP/2; status 0 without a response. */
  async function ask(path: string): Promise<{ status: number; text: string; code: number | undefined }> {
    const stream = session.request({ ':path': path });
    let [status, text] = [0, ''];
    stream.on('error', () => undefined);
    stream.on('response', (headers) => (status = headers[':status'] ?? 0));
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await new Promise((resolve) => stream.once('close', resolve));
    return { status, text, code: stream.rstCode };
  }

  /** Over HTTP/1.1; status 0 if the connection is cut before or in the response. */
  function askHttp1(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    return new Promise((resolve) => {
      const sent = request({ host: '127.0.0.1', port: listener.port, ca: authority, agent: false, path, headers });
      sent.on('error', () => resolve({ status: 0, text: '' }));
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('error', () => resolve({ status: 0, text }));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.end();
    });
  }

  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };

  /** The path and stack of the only line that was logged since the last call. */
  function logged(): { path: unknown; stack: string } {
    assert.equal(lines.length, 1);
    const { msg, level, path, error } = JSON.parse(lines.pop() ?? '') as Record<string, string>;
    assert.deepEqual([msg, level], ['request failed', 'error']);
    return { path, stack: error ?? '' };
  }

  function faults(): number {
    const text = [...metrics.pieces()].join('');
    return Number(/^flotilla_request_faults_total (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  for (const [title, breakIt] of [
    [
      'authentication',
      () => {
        authenticate = () => {
          throw new TypeError('oh no');
        };
      },
    ],
    [
      'a handler',
      () => {
        handle = () => {
          throw new TypeError('oh no');
        };
      },
    ],
    [
      'a handler, later',
      () => {
        handle = () => Promise.reject(new TypeError('oh no'));
      },
    ],
    [
      'what sends the answer',
      () => {
        handle = () => ({ status: 200, headers: { ':wrong': '' }, body: Buffer.from('x') });
      },
    ],
  ] as const) {
    test(`in ${title} is answered with 500, logged with its stack and counted`, async () => {
      authenticate = () => undefined;
      handle = () => ok('');
      breakIt();
      for (const target of ['/api', watchTarget]) {
        const before = faults();
        for (const asked of [() => ask(target), () => askHttp1(target), () => askHttp1(target, upgrade)]) {
          const { status, text } = await asked();
          assert.equal(status, 500);
          const { kind, reason, message } = JSON.parse(text) as Record<string, string>;
          assert.deepEqual([kind, reason], ['Status', 'InternalError']);
          assert.match(message ?? '', /^Internal error occurred: /);
          const { path, stack } = logged();
          assert.equal(path, target.split('?')[0]);
          assert.match(stack, /Error.*\n\s+at /);
        }
        assert.equal(faults() - before, 3);
      }
    });
  }

  /** A stream that sends a piece, and then calls `then`. */
  function streamed(then: (sink: StreamSink) => void): ApiHandler {
    return () => ({
      status: 200,
      headers: {},
      body: {
        isCompressible: false,
        start: (sink) => {
          sink.write(Buffer.from('first'));
          then(sink);
        },
      },
    });
  }

  for (const [title, then] of [
    [
      'at its start',
      (): never => {
        throw new TypeError('oh no');
      },
    ],
    [
      'when the stream reports a failure',
      (sink: StreamSink): void => void setImmediate(() => sink.fail(new TypeError('oh no'))),
    ],
  ] as const) {
    test(`in a stream, ${title}, cuts only that stream`, async () => {
      authenticate = () => undefined;
      handle = streamed(then);
      const before = faults();
      const { status, code } = await ask('/observer');
      assert.deepEqual([status, code], [200, 2]);
      assert.match(logged().stack, /^TypeError: oh no\n/);
      assert.equal((await askHttp1('/observer')).status, 0);
      assert.match(logged().stack, /^TypeError: oh no\n/);
      assert.equal(faults() - before, 2);
      handle = () => ok('well');
      assert.equal((await ask('/api')).text, 'well');
    });
  }

  test('in a drain listener cuts only that stream', async () => {
    authenticate = () => undefined;
    handle = streamed((sink) => {
      sink.onDrain(() => {
        throw new TypeError('oh no');
      });
      while (sink.write(Buffer.alloc(64 * 1024)));
    });
    assert.equal((await ask('/observer')).code, 2);
    logged();
    assert.equal((await askHttp1('/observer')).status, 0);
    logged();
  });

  test('in a close listener does not affect other streams', async () => {
    authenticate = () => undefined;
    const closed = Promise.withResolvers<void>();
    handle = streamed((sink) => {
      sink.onClose(() => {
        closed.resolve();
        throw new TypeError('oh no');
      });
    });
    const stream = session.request({ ':path': '/observer' });
    await once(stream, 'response');
    stream.resume().close(8);
    await closed.promise;
    handle = () => ok('well');
    assert.equal((await ask('/api')).text, 'well');
  });
});
