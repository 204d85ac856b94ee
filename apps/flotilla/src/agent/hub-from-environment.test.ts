import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { hubFromEnvironment } from './hub-from-environment.ts';
import { parseHeaders, withHeaders } from './request-headers.ts';

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

describe('a hub from environment variables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-test-'));
  after(() => rmSync(folder, { recursive: true }));
  const token = join(folder, 'token');
  const bundle = join(folder, 'ca');
  writeFileSync(token, 'secret\n');
  writeFileSync(bundle, pem);
  const complete = { HUB_SERVER_URL: 'https://hub:6443', CONFIG_PATH: token };
  const withToken = { usesCertificate: false, isInsecure: false };

  test('is accessed with the token in a file', async () => {
    const { transport } = await hubFromEnvironment(complete, withToken);
    assert.equal(transport.server, 'https://hub:6443');
    assert.deepEqual(await transport.credentials?.current(), { authorization: 'Bearer secret' });
    assert.equal(transport.skipsVerification, false);
  });

  test('is verified with a CA in a file or in the variable', async () => {
    const fromFile = await hubFromEnvironment({ ...complete, CA_BUNDLE: bundle }, withToken);
    assert.equal((await fromFile.transport.credentials?.current())?.authority, pem);
    const data = Buffer.from(pem).toString('base64');
    const fromData = await hubFromEnvironment({ ...complete, HUB_CERTIFICATE_AUTHORITY: data }, withToken);
    assert.equal((await fromData.transport.credentials?.current())?.authority, pem);
  });

  test('is not verified with --tls-insecure', async () => {
    const environment = { ...complete, CA_BUNDLE: '', HUB_CERTIFICATE_AUTHORITY: '' };
    const { transport } = await hubFromEnvironment(environment, { usesCertificate: false, isInsecure: true });
    assert.equal(transport.skipsVerification, true);
    assert.equal((await transport.credentials?.current())?.authority, undefined);
  });

  for (const [sentence, environment, usesCertificate = false] of [
    [/the hub is missing/, { HUB_SERVER_URL: '' }],
    [/HUB_SERVER_URL is not a URL/, { HUB_SERVER_URL: 'hub' }],
    [/CONFIG_PATH must name the file/, { CONFIG_PATH: '' }],
    [/token file does not exist/, { CONFIG_PATH: join(folder, 'nothing') }],
    [/CA_BUNDLE is set but empty/, { CA_BUNDLE: '' }],
    [/HUB_CERTIFICATE_AUTHORITY is set but empty/, { HUB_CERTIFICATE_AUTHORITY: '' }],
    [/are both set; choose one/, { CA_BUNDLE: bundle, HUB_CERTIFICATE_AUTHORITY: 'AAAA' }],
    [/is not a certificate in base64/, { HUB_CERTIFICATE_AUTHORITY: 'AAAA' }],
    [/--use-ca-auth needs IDENTITY_KEY/, { IDENTITY_CERT: 'x' }, true],
    [/--use-ca-auth needs IDENTITY_CERT/, { IDENTITY_KEY: 'x' }, true],
    [/HUB_KUBE_HEADER has a line that is not a header: "nonsense"/, { HUB_KUBE_HEADER: 'nonsense' }],
  ] as const) {
    test(`is refused with ${String(sentence)}`, async () => {
      const flags = { usesCertificate, isInsecure: false };
      await assert.rejects(hubFromEnvironment({ ...complete, ...environment }, flags), sentence);
    });
  }
});

describe('headers for the hub', () => {
  test('are parsed as MIME headers', () => {
    const block = 'X-One: a\r\nx-two:b\nX-One: c\n  d\n\n';
    assert.deepEqual(parseHeaders(block), { 'x-one': ['a', 'c d'], 'x-two': ['b'] });
  });

  test('are added to every request, and replace none', async () => {
    const sent: object[] = [];
    const answer = { status: 200, headers: {}, body: (async function* () {})() };
    const plain = {
      send: ({ headers }: { headers: object }) => {
        sent.push(headers);
        return Promise.resolve(answer);
      },
      close: () => Promise.resolve(),
    };
    const transport = withHeaders(plain, { 'x-one': ['a'] });
    const request = { method: 'GET', path: '/', query: '', headers: { accept: 'application/json' } };
    await transport.send(request);
    assert.deepEqual(sent, [{ accept: 'application/json', 'x-one': ['a'] }]);
    await assert.rejects(transport.send({ ...request, headers: { 'x-one': 'b' } }), /can't override other header/);
  });
});
