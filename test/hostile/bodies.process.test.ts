import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { messageOf, openTls, asAdministrator, readToClose, type WireRequest } from '../wire.ts';
import { configMap, configMaps, json, Victim, yaml } from './victim.ts';

const MiB = 1024 * 1024;
const tooLarge = 'Request entity too large: limit is 3145728';
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';

function post(body: string | Uint8Array, type = json, query = ''): WireRequest {
  return { method: 'POST', target: `${configMaps}${query}`, type, body };
}

function nested(depth: number, open: string, close: string): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** A billion laughs: each line contains the line before nine times. */
function laughs(): string {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (const [index, name] of 'bcdefghi'.split('').entries()) {
    const previous = 'abcdefgh'[index];
    lines.push(`${name}: &${name} [${Array(9).fill(`*${previous}`).join(',')}]`);
  }
  return lines.join('\n');
}

describe('hostile bodies', { timeout: 60_000 }, () => {
  let victim: Victim;
  before(async () => {
    victim = await Victim.start();
  });
  after(() => victim[Symbol.asyncDispose]());

  const refused: readonly [title: string, request: WireRequest, status: number, message: string][] = [
    ['more than 3 MiB', post(' '.repeat(3 * MiB + 1)), 413, tooLarge],
    [
      'a delete with more than 3 MiB',
      { ...post(' '.repeat(4 * MiB)), method: 'DELETE', target: `${configMaps}/target` },
      413,
      tooLarge,
    ],
    [
      'a patch with more than 3 MiB',
      { ...post(' '.repeat(4 * MiB), 'application/merge-patch+json'), method: 'PATCH', target: `${configMaps}/target` },
      413,
      tooLarge,
    ],
    [
      'data above the size limit of a ConfigMap',
      post(configMap('big', `,"data":{"a":"${'x'.repeat(2 * MiB)}"}`)),
      422,
      'ConfigMap "big" is invalid: []: Too long: may not be more than 1048576 bytes',
    ],
    [
      'JSON of 10,001 levels',
      post(configMap('deep', `,"x":${nested(10_001, '[', ']')}`)),
      400,
      `${unrecognized}couldn't get version/kind; json parse error: invalid character '[' exceeded max depth ({"apiVersion":"v1","kind":"Con ...)`,
    ],
    [
      'a million opening brackets',
      post('['.repeat(1_000_000)),
      400,
      `${unrecognized}couldn't get version/kind; json parse error: invalid character '[' exceeded max depth (${'5b'.repeat(30)} ...)`,
    ],
    [
      'YAML of a million levels',
      post('['.repeat(1_000_000), yaml),
      400,
      `${unrecognized}yaml: exceeded max depth of 10000 (${'5b'.repeat(30)} ...)`,
    ],
    [
      'endlessly nested YAML lists',
      post('- '.repeat(1_000_000), yaml),
      400,
      `${unrecognized}yaml: exceeded max depth of 10000 (${'2d20'.repeat(15)} ...)`,
    ],
    [
      'a billion laughs',
      post(laughs(), yaml),
      400,
      `${unrecognized}yaml: document contains excessive aliasing (${Buffer.from('a: &a [x,x,x,x,x,x,x,x,x]\nb: &').toString('hex')} ...)`,
    ],
    [
      'an anchor that contains itself',
      post('a: &a [*a]', yaml),
      400,
      `${unrecognized}yaml: anchor 'a' value contains itself (613a202661205b2a615d)`,
    ],
    [
      'YAML that is not UTF-8',
      post(Buffer.from('613a200a0aff80', 'hex'), yaml),
      400,
      `${unrecognized}yaml: invalid leading UTF-8 octet (613a200a0aff80)`,
    ],
    [
      'a body in an unsupported encoding',
      { ...post(Buffer.from('1f8b0800', 'hex')), headers: { 'content-encoding': 'gzip' } },
      400,
      `${unrecognized}couldn't get version/kind; json parse error: invalid character '\\x1f' looking for beginning of value (1f8b0800)`,
    ],
    [
      'an empty body',
      post(''),
      400,
      `${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    ],
    [
      'protobuf without its magic bytes',
      post('xyz', 'application/vnd.kubernetes.protobuf'),
      400,
      `${unrecognized}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (78797a)`,
    ],
    [
      'protobuf that is shorter than its length field',
      post(Buffer.from('6b3873000a7f', 'hex'), 'application/vnd.kubernetes.protobuf'),
      400,
      `${unrecognized}unexpected EOF (6b3873000a7f)`,
    ],
  ];
  for (const [title, request, status, message] of refused) {
    test(`${title}: ${status}`, async () => {
      const answer = await victim.sendBoth(request);
      assert.deepEqual([answer.status, messageOf(answer)], [status, message]);
      await victim.isUnharmed();
    });
  }

  test('9,990 levels in an unknown field are dropped with a warning', async () => {
    const request = post(configMap('deep', `,"x":${nested(9990, '[', ']')}`), json, '?dryRun=All');
    const { status, head } = await victim.send(request);
    assert.equal(status, 201);
    assert.match(head, /unknown field/);
    await victim.isUnharmed();
  });

  test('protobuf of 20,000 levels gets a response', async () => {
    let message = Buffer.alloc(0);
    for (let level = 0; level < 20_000; level++) message = lengthDelimited(1, message);
    const kind = Buffer.concat([lengthDelimited(1, Buffer.from('v1')), lengthDelimited(2, Buffer.from('ConfigMap'))]);
    const body = Buffer.concat([Buffer.from('k8s\0'), lengthDelimited(1, kind), lengthDelimited(2, message)]);
    const { status } = await victim.send(post(body, 'application/vnd.kubernetes.protobuf'));
    assert.equal(status, 422);
    await victim.isUnharmed();
  });

  test('an object whose every error would repeat all of it gets a response of limited size', async () => {
    const scopes = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `s${index}`));
    const topologies = JSON.stringify(Array.from({ length: 20_000 }, () => ({})));
    for (const [target, body] of [
      ['/api/v1/namespaces/default/resourcequotas', `{"metadata":{"name":"q"},"spec":{"scopes":${scopes}}}`],
      ['/apis/storage.k8s.io/v1/storageclasses', `{"metadata":{"name":"s"},"allowedTopologies":${topologies}}`],
    ] as const) {
      const { status, text } = await victim.send({ method: 'POST', target, type: json, body });
      assert.equal(status, 422, target);
      assert.ok(text.length < 64 * MiB, `${text.length} characters`);
    }
    await victim.isUnharmed();
  });

  test('keys that JavaScript objects inherit are ordinary keys', async () => {
    const data = '"data":{"__proto__":"1","constructor":"2","toString":"3"}';
    const metadata =
      '"metadata":{"name":"p","labels":{"constructor":"y"},"annotations":{"constructor":"1","toString":"1"}}';
    const body = `{"apiVersion":"v1","kind":"ConfigMap",${metadata},${data},"__proto__":{"a":1},"constructor":1}`;
    const { status, text, head } = await victim.send(post(body, json, '?dryRun=All'));
    assert.equal(status, 201);
    assert.ok(text.includes(data), text);
    assert.match(head, /unknown field \\\\\\"__proto__/);
    assert.match(head, /unknown field \\\\\\"constructor/);
    await victim.isUnharmed();
  });

  test('a label __proto__ is refused, because of its underscores', async () => {
    const body = '{"metadata":{"name":"p","labels":{"__proto__":"x"}}}';
    const answer = await victim.send(post(body));
    assert.equal(answer.status, 422);
    assert.match(
      messageOf(answer),
      /^ConfigMap "p" is invalid: metadata\.labels: Invalid value: "__proto__": name part/,
    );
    await victim.isUnharmed();
  });

  test('invalid UTF-8 in JSON becomes replacement characters', async () => {
    const body = Buffer.concat([
      Buffer.from('{"metadata":{"name":"u"},"data":{"a":"'),
      Buffer.from([0xff, 0xfe, 0x41]),
      Buffer.from('"}}'),
    ]);
    const { status, text } = await victim.send(post(body, json, '?dryRun=All'));
    assert.equal(status, 201);
    assert.ok(text.includes('"a":"\ufffd\ufffdA"'));
    await victim.isUnharmed();
  });

  test('4 MiB in chunks, without a length, are refused before the body ends', async () => {
    const socket = await openTls(victim.server, asAdministrator(victim.server));
    const answer = readToClose(socket);
    socket.write(`POST ${configMaps} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`);
    for (let chunk = 0; chunk < 4; chunk++) socket.write(`${MiB.toString(16)}\r\n${' '.repeat(MiB)}\r\n`);
    socket.write('0\r\n\r\n');
    const { status } = await answer;
    assert.equal(status, 413);
    await victim.isUnharmed();
  });

  test('a body that stops in the middle ends in a timeout: 504', async () => {
    const socket = await openTls(victim.server, asAdministrator(victim.server));
    const answer = readToClose(socket);
    socket.write(
      `POST ${configMaps}?timeout=50ms HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 200\r\n\r\n{"a":`,
    );
    const { status, text } = await answer;
    assert.equal(status, 504);
    assert.match(text, /Timeout: request did not complete within the allotted timeout/);
    await victim.isUnharmed();
  });

  test('a client that disconnects in the middle of its body writes nothing', async () => {
    const socket = await openTls(victim.server, asAdministrator(victim.server));
    const whole = configMap('cut');
    socket.write(`POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: ${whole.length + 1}\r\n\r\n${whole}`);
    socket.destroy();
    await victim.isUnharmed();
  });
});

function lengthDelimited(field: number, bytes: Buffer): Buffer<ArrayBuffer> {
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
  return Buffer.concat([Buffer.from([field * 8 + 2, ...length, rest]), bytes]);
}
