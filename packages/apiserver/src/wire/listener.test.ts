import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { administrator, type ApiHandler } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { freshCredentials } from '../credentials/credentials.ts';
import { listen } from './listener.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const token = 'of-admin';
/** Longer than any request here; process tests check that the rest is cut then. */
const graceMs = 60_000;

test('a listener that closes answers the requests that it has begun', async () => {
  const { server: identity } = await freshCredentials(['127.0.0.1'], new Date());
  const { api } = await startTestServer({ staticTokens: [{ token, user: administrator }] });
  const allBegun = Promise.withResolvers<void>();
  let begun = 0;
  const handle: ApiHandler = (request) => {
    if (++begun === 3) allBegun.resolve();
    return api.handle(request);
  };
  const listener = await listen({ ...api, handle, identity, host: '127.0.0.1', port: 0, now: Date.now });
  const target = { host: '127.0.0.1', port: listener.port, ca: identity.authority };

  const socket = connectTls({ ...target, ALPNProtocols: ['http/1.1'] });
  const answered = text(socket);
  const body = '{"metadata":{"name":"late"}}';
  const head = [`POST ${configMaps} HTTP/1.1`, 'Host: x', 'Connection: close', `Authorization: Bearer ${token}`];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);

  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: identity.authority });
  const headers = { ':method': 'POST', ':path': configMaps, authorization: `Bearer ${token}` };
  const [late, unfinished] = [session.request(headers), session.request(headers)];
  for (const stream of [late, unfinished]) stream.write('{');
  await allBegun.promise;

  const closed = listener.close(graceMs);
  await once(session, 'goaway');
  late.end('"metadata":{"name":"later"}}');
  socket.write(body.slice(5));
  const [{ ':status': status }] = (await once(late, 'response')) as [{ ':status': number }];
  assert.equal(status, 201);
  assert.match(await answered, /^HTTP\/1\.1 201 /);
  session.destroy();
  await closed;
});
