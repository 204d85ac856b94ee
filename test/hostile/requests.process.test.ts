import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exchangeHttp1, exchangeHttp2, messageOf, openHttp2, sendBytes, type WireRequest } from '../wire.ts';
import { configMaps, json, Victim } from './victim.ts';

function continued(token: string | object): string {
  const text = typeof token === 'string' ? token : JSON.stringify(token);
  return `${configMaps}?limit=1&continue=${Buffer.from(text).toString('base64url')}`;
}

const badToken = 'invalid continue token: continue key is not valid: ';

describe('hostile requests', { timeout: 60_000 }, () => {
  let victim: Victim;
  before(async () => {
    victim = await Victim.start();
  });
  after(() => victim[Symbol.asyncDispose]());

  const refused: readonly [title: string, target: string, status: number, message: string][] = [
    ['a broken escape', `${configMaps}/%zz`, 400, '400 Bad Request'],
    ['an escape without its end', `${configMaps}/a%`, 400, '400 Bad Request'],
    [
      'a path with ..',
      '/api/v1/namespaces/../namespaces/default',
      404,
      'the server could not find the requested resource',
    ],
    ['a name that is ..', `${configMaps}/%2e%2e`, 400, `Name parameter invalid: "..": may not be '..'`],
    ['a name with a percent sign', `${configMaps}/a%25b`, 400, `Name parameter invalid: "a%b": may not contain '%'`],
    ['a namespace that is ..', '/api/v1/namespaces/%2e%2e/configmaps', 500, 'invalid key: "/configmaps/.."'],
    ['a name with a NUL', `${configMaps}/a%00b`, 404, 'configmaps "a\\x00b" not found'],
    ['a name that is not UTF-8', `${configMaps}/%ff`, 404, 'configmaps "\ufffd" not found'],
    ['two slashes', '//api//v1/namespaces/default', 404, '404 page not found\n'],
    ['a resource called __proto__', '/api/v1/__proto__', 404, 'the server could not find the requested resource'],
    ['a group called constructor', '/apis/constructor/v1/toString', 404, '404 page not found\n'],
    [
      'an object called __proto__',
      '/api/v1/namespaces/__proto__/configmaps/__proto__',
      404,
      'configmaps "__proto__" not found',
    ],
    ['a check called __proto__', '/readyz/__proto__', 404, '404 page not found\n'],
    [
      'a field selector of an inherited property',
      `${configMaps}?fieldSelector=constructor%3Dx`,
      400,
      '"constructor" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'a selector of brackets only',
      `${configMaps}?labelSelector=${'('.repeat(5000)}`,
      400,
      "found '(', expected: !, identifier, or 'end of string'",
    ],
    [
      'a limit above all integers',
      `${configMaps}?limit=99999999999999999999999`,
      400,
      'strconv.ParseInt: parsing "99999999999999999999999": value out of range',
    ],
    [
      'a revision above all integers',
      `${configMaps}?resourceVersion=18446744073709551616`,
      400,
      'invalid resource version: resourceVersion: Invalid value: "18446744073709551616": strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    [
      'a negative revision',
      `${configMaps}?resourceVersion=-1`,
      400,
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      'a timeout that is not a number',
      `${configMaps}?timeout=soon`,
      400,
      'invalid timeout specified in the request URL - time: invalid duration "soon"',
    ],
    [
      'a continue token that is not base64',
      `${configMaps}?limit=1&continue=YQ==`,
      400,
      `${badToken}illegal base64 data at input byte 2`,
    ],
    [
      'a continue token that is not JSON',
      `${configMaps}?limit=1&continue=abc`,
      400,
      `${badToken}invalid character 'i' looking for beginning of value`,
    ],
    [
      'a continue token that is a list',
      continued('[]'),
      400,
      `${badToken}json: cannot unmarshal array into Go value of type storage.continueToken`,
    ],
    [
      'a continue token with half a revision',
      continued({ v: 'meta.k8s.io/v1', rv: 1.5, start: 'a' }),
      400,
      `${badToken}json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64`,
    ],
    [
      'a continue token with a revision in quotes',
      continued({ v: 'meta.k8s.io/v1', rv: '5', start: 'a' }),
      400,
      `${badToken}json: cannot unmarshal string into Go struct field continueToken.rv of type int64`,
    ],
    [
      'a continue token with ..',
      continued({ v: 'meta.k8s.io/v1', rv: 5, start: '../../x' }),
      400,
      `${badToken}../../x`,
    ],
    [
      'a continue token of an unknown version',
      continued({ v: 'v2', rv: 1, start: 'a' }),
      400,
      `${badToken}server does not recognize this encoded version v2`,
    ],
  ];
  for (const [title, target, status, message] of refused) {
    test(`${title}: ${status}`, async () => {
      const answer = await victim.sendBoth({ target });
      assert.deepEqual([answer.status, messageOf(answer)], [status, message]);
      await victim.isUnharmed();
    });
  }

  test('a continue token of another list reveals no object outside this one', async () => {
    const target = continued({ v: 'meta.k8s.io/v1', rv: -1, start: 'kube-system/secret' });
    const { status, text } = await victim.send({ target });
    assert.equal(status, 200);
    assert.doesNotMatch(text, /kube-system/);
    await victim.isUnharmed();
  });

  test('invalid parts of a query are ignored, as in Go', async () => {
    for (const query of ['limit=1;labelSelector=x', 'labelSelector=%zz', '__proto__=1&constructor=2&toString']) {
      const { status } = await victim.send({ target: `${configMaps}?${query}` });
      assert.equal(status, 200, query);
    }
    await victim.isUnharmed();
  });

  test('a watch accepts a timeout that exceeds the range of timers', async () => {
    const session = openHttp2(victim.server);
    const stream = session.request({ ':path': `${configMaps}?watch=1&timeoutSeconds=99999999999` });
    await new Promise((resolve) => stream.once('data', resolve));
    await victim.isUnharmed();
    assert.equal(stream.closed, false);
    session.destroy();
  });

  test('a watch whose timeout is over before it begins ends at once', async () => {
    const { status } = await victim.send({ target: `${configMaps}?watch=1&timeoutSeconds=-1` });
    assert.equal(status, 200);
    await victim.isUnharmed();
  });

  for (const size of [30_000, 64_000]) {
    test(`a selector of ${size} characters is accepted over HTTP/1.1`, async () => {
      const answer = await exchangeHttp1(victim.server, { target: `${configMaps}?labelSelector=${'a'.repeat(size)}` });
      assert.equal(answer.status, 400);
      assert.match(messageOf(answer).slice(0, 80), /^unable to parse requirement: <nil>: Invalid value: "aaa/);
      await victim.isUnharmed();
    });
  }

  test('a selector with sixty thousand characters of values is accepted', async () => {
    const target = `${configMaps}?labelSelector=${encodeURIComponent(`a in (${'b,'.repeat(15_000)}b)`)}`;
    const { status } = await exchangeHttp1(victim.server, { target });
    assert.equal(status, 200);
    await victim.isUnharmed();
  });

  test('headers of more than 68 KiB: 431, or the end of the connection', async () => {
    const target = `${configMaps}?labelSelector=${'a'.repeat(2_100_000)}`;
    const first = await exchangeHttp1(victim.server, { target });
    assert.ok([0, 431].includes(first.status), String(first.status));
    const long = { accept: 'a/b;as=Table,'.repeat(6000) };
    const anonymous = await exchangeHttp1(victim.server, { target: '/livez', headers: long }, {});
    assert.ok([0, 431].includes(anonymous.status), String(anonymous.status));
    const session = openHttp2(victim.server);
    const second = await exchangeHttp2(session, { target });
    assert.equal(second.status, 0);
    await victim.isUnharmed();
  });

  test('every clause of a long Accept header counts', async () => {
    const { status } = await exchangeHttp1(victim.server, {
      target: configMaps,
      headers: { accept: `${'a/b,'.repeat(15_000)}${json}` },
    });
    assert.equal(status, 200);
    const nothing = await exchangeHttp1(victim.server, {
      target: configMaps,
      headers: { accept: 'a/b,'.repeat(16_000) },
    });
    assert.equal(nothing.status, 406);
    await victim.isUnharmed();
  });

  test('hundreds of headers, some called __proto__, are accepted', async () => {
    const headers = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, 'v']));
    Object.defineProperty(headers, '__proto__', { value: '1', enumerable: true });
    const { status } = await victim.sendBoth({ target: configMaps, headers: { ...headers, constructor: 'x' } });
    assert.equal(status, 200);
    await victim.isUnharmed();
  });

  const methods: readonly [WireRequest, number][] = [
    [{ method: 'TRACE', target: '/api/v1/namespaces' }, 405],
    [{ method: 'OPTIONS', target: '/api/v1/namespaces' }, 405],
    [{ method: 'PUT', target: '/version', body: '' }, 405],
  ];
  for (const [request, status] of methods) {
    test(`${request.method} ${request.target}: ${status}`, async () => {
      assert.equal((await victim.sendBoth(request)).status, status);
      await victim.isUnharmed();
    });
  }

  test('an unknown method: 405 over HTTP/2', async () => {
    const { status } = await victim.send({ method: 'FOO', target: '/api/v1/namespaces' });
    assert.equal(status, 405);
  });

  const bytes: readonly [title: string, request: string, status: number][] = [
    [
      'an absolute target',
      'GET https://example.com/api/v1/namespaces/default HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['a target that is not a path', 'GET api/v1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a length that is not a number', `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n{}`, 400],
    ['a negative length', `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}`, 400],
    ['two lengths', `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    [
      'a length and chunks',
      `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'an invalid chunk size',
      `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['no host', 'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /version HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400],
    ['an invalid host', 'GET /version HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
    ['two hosts in HTTP/1.0', 'GET /version HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['an Expect header other than 100-continue', 'GET /version HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n', 417],
    ['noise', '\0\u0001\u0002noise\r\n\r\n', 400],
    ['a method of 10,000 letters', `${'A'.repeat(10_000)} / HTTP/1.1\r\n\r\n`, 400],
  ];
  for (const [title, request, status] of bytes) {
    test(`${title}: ${status}`, async () => {
      assert.equal((await sendBytes(victim.server, request)).status, status);
      await victim.isUnharmed();
    });
  }
});
