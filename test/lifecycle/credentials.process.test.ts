import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { freshCredentials, type CredentialSet } from '@flotilla/apiserver';
import { runFlotilla, Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { exchangeHttp1 } from '../wire.ts';

describe('a server with credentials in files', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let server: FlotillaProcess;
  let theirs: CredentialSet;
  before(async () => {
    scratch = new Scratch();
    theirs = await freshCredentials(['127.0.0.1'], new Date());
    writeFileSync(scratch.file('ca.crt'), theirs.server.authority);
    writeFileSync(scratch.file('tls.crt'), theirs.server.certificate);
    writeFileSync(scratch.file('tls.key'), theirs.server.key);
    writeFileSync(scratch.file('tokens.csv'), 'ahoy,ada,u1,"crew,deck"\n');
    const files = ['--token-auth-file', scratch.file('tokens.csv'), '--client-ca-file', scratch.file('ca.crt')];
    const shown = ['--tls-cert-file', scratch.file('tls.crt'), '--tls-private-key-file', scratch.file('tls.key')];
    const args = ['--memory', '--anonymous-auth=false', ...files, ...shown];
    server = await startFlotilla(args, scratch.file('kubeconfig'));
  });
  after(async () => {
    await server.stop();
    scratch[Symbol.dispose]();
  });

  const whoAmI = async (headers: Record<string, string>, identity: { cert?: string; key?: string }) => {
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const target = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const sent = { method: 'POST', target, headers: { 'content-type': 'application/json', ...headers }, body };
    const { text } = await exchangeHttp1(server, sent, identity);
    const { status } = JSON.parse(text) as { status?: { userInfo?: { username: string; groups: string[] } } };
    return status?.userInfo && [status.userInfo.username, ...status.userInfo.groups];
  };

  test('authenticates the users of the token file', async () => {
    assert.deepEqual(await whoAmI({ authorization: 'Bearer ahoy' }, {}), [
      'ada',
      'crew',
      'deck',
      'system:authenticated',
    ]);
  });

  test('accepts client certificates of the given CA and of its own', async () => {
    const { certificate: cert, key } = theirs.admin;
    const administrator = ['kubernetes-admin', 'system:masters', 'system:authenticated'];
    assert.deepEqual(await whoAmI({}, { cert, key }), administrator);
    assert.deepEqual(await whoAmI({}, { cert: server.certificate, key: server.key }), administrator);
  });

  test('serves the given certificate, and its kubeconfig trusts no other', () => {
    assert.equal(server.authority.trim(), theirs.server.certificate.trim());
  });

  test('refuses requests without credentials with --anonymous-auth=false', async () => {
    assert.equal((await exchangeHttp1(server, { target: '/version' }, {})).status, 401);
  });
});

describe('invalid credentials', { timeout: 60_000 }, () => {
  const faults: readonly [name: string, flags: (scratch: Scratch) => string[], sentence: RegExp][] = [
    ['a token file that does not exist', (s) => ['--token-auth-file', s.file('no.csv')], /cannot read .*no\.csv/],
    [
      'a token file without users',
      (s) => ['--token-auth-file', s.file('short.csv')],
      /short\.csv: .* at least 3 columns/,
    ],
    [
      'a CA that is no certificate',
      (s) => ['--client-ca-file', s.file('short.csv')],
      /short\.csv contains no PEM certificate/,
    ],
    ['a certificate without its key', (s) => ['--tls-cert-file', s.file('short.csv')], /must be set together/],
    [
      'a key that is none',
      (s) => ['--tls-cert-file', s.file('tls.crt'), '--tls-private-key-file', s.file('short.csv')],
      /^flotilla: .*short\.csv holds no private key\.\n$/,
    ],
    [
      'the key of another certificate',
      (s) => ['--tls-cert-file', s.file('tls.crt'), '--tls-private-key-file', s.file('other.key')],
      /^flotilla: .*other\.key is not the key of .*tls\.crt\.\n$/,
    ],
    ['neither true nor false', () => ['--anonymous-auth', 'maybe'], /Allowed choices are true, false/],
  ];
  for (const [name, flags, sentence] of faults) {
    test(`are refused without a stack trace: ${name}`, async () => {
      using scratch = new Scratch();
      writeFileSync(scratch.file('short.csv'), 'token,user\n');
      const { server, admin } = await freshCredentials(['127.0.0.1'], new Date());
      writeFileSync(scratch.file('tls.crt'), server.certificate);
      writeFileSync(scratch.file('other.key'), admin.key);
      const { code, stderr } = await runFlotilla(['apiserver', '--memory', '--port', '0', ...flags(scratch)]);
      assert.equal(code, 1);
      assert.match(stderr, sentence);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }
});

describe('kube-apiserver of envtest', { timeout: 60_000 }, () => {
  const faults: readonly [name: string, file: string, sentence: RegExp][] = [
    [
      'a key for tokens that is none',
      'service-account.key',
      /service-account\.key contains no key for service account/,
    ],
    ['a CA that is no certificate', 'ca.crt', /ca\.crt holds no certificate/],
    ['a key that is none', 'apiserver.key', /apiserver\.key holds no private key/],
  ];
  for (const [name, file, sentence] of faults) {
    test(`refuses ${name} with one line`, async () => {
      using scratch = new Scratch();
      const { server, tokenKey } = await freshCredentials(['127.0.0.1'], new Date());
      writeFileSync(scratch.file('ca.crt'), server.authority);
      writeFileSync(scratch.file('apiserver.crt'), server.certificate);
      writeFileSync(scratch.file('apiserver.key'), server.key);
      writeFileSync(scratch.file('service-account.key'), tokenKey);
      writeFileSync(scratch.file(file), 'garbage');
      const key = scratch.file('service-account.key');
      const serving = ['--cert-dir', scratch.path, '--secure-port', '0', '--client-ca-file', scratch.file('ca.crt')];
      const signing = ['--service-account-signing-key-file', key, '--service-account-key-file', key];
      const { code, stderr } = await runFlotilla(['envtest-apiserver', ...serving, ...signing]);
      assert.equal(code, 1);
      assert.match(stderr, /^flotilla: [^\n]*\n$/);
      assert.match(stderr, sentence);
    });
  }
});
