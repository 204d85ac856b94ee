import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDueForRenewal, isValidForHosts } from './certificates.ts';
import { findKeys, finishCredentials, loadCredentials, makeCredentials } from './credential-files.ts';
import { freshCredentials, overdueCertificate, renewedCredentials, type CredentialSet } from './credentials.ts';
import { identityWithFiles } from './serving-files.ts';

const hosts = ['localhost', '127.0.0.1'];
const start = new Date('2026-01-02T03:04:05Z');
const later = (days: number): Date => new Date(start.getTime() + days * 24 * 60 * 60 * 1000);

describe('the credentials of a data directory', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'flotilla-pki-'));
  });
  after(() => rm(directory, { recursive: true }));

  test('are readable only by their owner', async () => {
    assert.equal(await findKeys(directory), 'none');
    const made = await makeCredentials(directory, hosts, start);
    assert.equal(await findKeys(directory), 'unfinished');
    await finishCredentials(directory);
    assert.equal(await findKeys(directory), 'complete');
    const folder = join(directory, 'pki');
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    const files = await readdir(folder);
    assert.equal(files.length, 8);
    for (const file of files) assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600, file);
    assert.deepEqual(await loadCredentials(directory, hosts, later(200)), made);
  });

  test('get new certificates of the same authority after two thirds of a year', async () => {
    const before = await loadCredentials(directory, hosts, later(200));
    const renewed = await loadCredentials(directory, hosts, later(250));
    assert.notEqual(renewed.server.certificate, before.server.certificate);
    assert.notEqual(renewed.admin.certificate, before.admin.certificate);
    assert.ok(!isDueForRenewal(renewed.server.certificate, later(251)));
    const same = ({ server, token, tokenKey, authorityKey }: typeof before): unknown[] => [
      server.authority,
      server.clientAuthority,
      token,
      tokenKey,
      authorityKey,
    ];
    assert.deepEqual(same(renewed), same(before));
    const authority = new X509Certificate(before.server.authority);
    for (const { certificate } of [renewed.server, renewed.admin, before.admin]) {
      assert.ok(new X509Certificate(certificate).verify(authority.publicKey));
    }
    assert.deepEqual(await loadCredentials(directory, hosts, later(251)), renewed);
  });

  test('get a new server certificate if the hosts change', async () => {
    const before = await loadCredentials(directory, hosts, later(251));
    const moved = await loadCredentials(directory, [...hosts, 'hub.example.com', '::1'], later(251));
    assert.ok(!isValidForHosts(before.server.certificate, ['hub.example.com']));
    assert.ok(isValidForHosts(moved.server.certificate, ['hub.example.com', '::1', ...hosts]));
    assert.equal(moved.admin.certificate, before.admin.certificate);
  });

  test('are repaired after a renewal that was interrupted between a key and its certificate', async () => {
    const { admin } = await loadCredentials(directory, hosts, later(251));
    await writeFile(join(directory, 'pki', 'server.key'), admin.key);
    const repaired = await loadCredentials(directory, hosts, later(251));
    assert.ok(isPair(repaired));
    assert.equal(repaired.server.authority, (await loadCredentials(directory, hosts, later(251))).server.authority);
  });

  test('may be replaced by serving files, while clients of the own authority stay valid', async () => {
    const own = await loadCredentials(directory, hosts, later(251));
    const other = await renewedCredentials(own, hosts, later(600));
    const stranger = await freshCredentials(hosts, start);
    const file = async (name: string, text: string): Promise<string> => {
      const path = join(directory, name);
      await writeFile(path, text);
      return path;
    };
    const files = {
      certificate: await file('tls.crt', other.server.certificate),
      key: await file('tls.key', other.server.key),
      clientAuthority: await file('clients.crt', `# Theirs.\n${stranger.server.authority}`),
    };
    const identity = await identityWithFiles(own.server, files);
    assert.equal(identity.certificate, other.server.certificate);
    assert.equal(identity.authority, other.server.certificate);
    assert.equal(
      identity.clientAuthority,
      `${own.server.authority.trimEnd()}\n# Theirs.\n${stranger.server.authority}`,
    );
    const wrongKey = { ...files, key: await file('wrong.key', stranger.server.key) };
    await assert.rejects(identityWithFiles(own.server, wrongKey), /wrong\.key is not the key of .*tls\.crt$/);
    const invalid = { ...files, clientAuthority: await file('invalid.crt', 'THEIRS') };
    await assert.rejects(identityWithFiles(own.server, invalid), /invalid\.crt holds no certificate$/);
  });
});

function isPair({ server }: CredentialSet): boolean {
  return new X509Certificate(server.certificate).checkPrivateKey(createPrivateKey(server.key));
}

describe('a key folder', () => {
  let original: string;
  let made: CredentialSet;
  before(async () => {
    original = await mkdtemp(join(tmpdir(), 'flotilla-pki-'));
    made = await makeCredentials(original, hosts, start);
    await finishCredentials(original);
  });
  after(() => rm(original, { recursive: true }));

  /** Runs `use` on a copy of the directory whose key folder is changed by `change`. */
  async function withChange<T>(change: (folder: string) => Promise<unknown>, use: (directory: string) => Promise<T>) {
    const directory = await mkdtemp(join(tmpdir(), 'flotilla-pki-'));
    try {
      await cp(original, directory, { recursive: true });
      await change(join(directory, 'pki'));
      return await use(directory);
    } finally {
      await rm(directory, { recursive: true });
    }
  }
  const without =
    (...files: string[]) =>
    async (folder: string): Promise<unknown> =>
      Promise.all(files.map((file) => rm(join(folder, file))));
  const loaded = (directory: string): Promise<CredentialSet> => loadCredentials(directory, hosts, later(1));
  const keys = ({ authorityKey, tokenKey, token }: CredentialSet): unknown[] => [authorityKey, tokenKey, token];

  for (const file of ['server.key', 'server.crt', 'admin.key', 'admin.crt']) {
    test(`without ${file} gets it issued again, and nothing else changes`, async () => {
      const repaired = await withChange(without(file), loaded);
      assert.deepEqual(keys(repaired), keys(made));
      assert.equal(repaired.server.authority, made.server.authority);
      const isServer = file.startsWith('server');
      assert.equal(repaired.server.certificate === made.server.certificate, !isServer);
      assert.equal(repaired.admin.certificate === made.admin.certificate, isServer);
    });
  }

  test('without ca.crt gets it issued from its key, and old certificates and trust stay valid', async () => {
    const repaired = await withChange(without('ca.crt'), loaded);
    assert.deepEqual(keys(repaired), keys(made));
    const { publicKey } = new X509Certificate(repaired.server.authority);
    const old = new X509Certificate(made.server.authority);
    assert.ok(new X509Certificate(made.admin.certificate).verify(publicKey));
    assert.ok(new X509Certificate(repaired.server.certificate).verify(old.publicKey));
    assert.equal(new X509Certificate(repaired.server.authority).subject, old.subject);
  });

  test('without ca.key starts while nothing must be signed, and reports a certificate that is due', async () => {
    const offline = without('ca.key');
    const started = await withChange(offline, loaded);
    assert.deepEqual(started, { ...made, authorityKey: undefined });
    assert.equal(overdueCertificate(started, later(1)), undefined);
    const due = await withChange(offline, (directory) => loadCredentials(directory, hosts, later(250)));
    assert.equal(due.server.certificate, made.server.certificate);
    assert.match(overdueCertificate(due, later(250)) ?? '', /^server\.crt expires on 2027-01-02 and cannot be renewed/);
  });

  test('renews when ca.key is put back while the server runs', async () => {
    await withChange(without('ca.key'), async (directory) => {
      const started = await loadCredentials(directory, hosts, later(250));
      await cp(join(original, 'pki', 'ca.key'), join(directory, 'pki', 'ca.key'));
      const renewed = await loadCredentials(directory, hosts, later(250), started);
      assert.notEqual(renewed.server.certificate, made.server.certificate);
      assert.equal(renewed.server.authority, made.server.authority);
    });
  });

  type Change = (folder: string) => Promise<unknown>;
  const put =
    (file: string, text: string): Change =>
    (folder) =>
      writeFile(join(folder, file), text);
  const refusals: readonly [name: string, change: Change, sentence: RegExp][] = [
    [
      'service-account.key is missing',
      without('service-account.key'),
      /service-account\.key cannot be found.*put it back/,
    ],
    ['admin.token is missing', without('admin.token'), /admin\.token cannot be found.*put it back/],
    ['ca.crt and ca.key are missing', without('ca.crt', 'ca.key'), /ca\.crt and ca\.key cannot be found.*put it back/],
    ['ca.key and a certificate are missing', without('ca.key', 'admin.crt'), /ca\.key is missing.*admin\.crt/],
    ['service-account.key is invalid', put('service-account.key', 'x'), /service-account\.key holds no private key/],
    ['admin.token is empty', put('admin.token', '\n'), /admin\.token is empty/],
    ['ca.crt is invalid', put('ca.crt', 'x'), /ca\.crt holds no certificate/],
    ['ca.key is invalid', put('ca.key', 'x'), /ca\.key holds no private key/],
    ['server.crt is invalid', put('server.crt', 'x'), /server\.crt holds no certificate/],
    ['admin.key is invalid', put('admin.key', ''), /admin\.key holds no private key/],
    [
      'ca.key is of another authority',
      async (folder) => put('ca.key', (await freshCredentials(hosts, start)).authorityKey)(folder),
      /ca\.key is not the key of ca\.crt/,
    ],
    [
      'admin.crt is of another authority',
      async (folder) => put('admin.crt', (await freshCredentials(hosts, start)).admin.certificate)(folder),
      /admin\.crt was not signed by the authority beside it/,
    ],
    [
      'others may read a key',
      (folder) => chmod(join(folder, 'ca.key'), 0o640),
      /ca\.key is a secret.*mode 640.*chmod 600/,
    ],
  ];
  for (const [name, change, sentence] of refusals) {
    test(`is refused and left unchanged if ${name}`, async () => {
      await withChange(change, async (directory) => {
        const contents = async (): Promise<string[]> => {
          const files = (await readdir(join(directory, 'pki'))).sort();
          return Promise.all(files.map(async (file) => file + (await readFile(join(directory, 'pki', file), 'utf8'))));
        };
        const before = await contents();
        await assert.rejects(loaded(directory), (error: Error) => {
          assert.equal(error.name, 'UnusableCredentials');
          assert.match(error.message, sentence);
          return true;
        });
        assert.deepEqual(await contents(), before);
      });
    });
  }

  test('with other files is left unchanged', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'flotilla-pki-'));
    await mkdir(join(directory, 'pki'));
    await writeFile(join(directory, 'pki', 'poem.txt'), 'roses');
    await assert.rejects(
      makeCredentials(directory, hosts, start),
      /pki has none of the keys, but something else; move it/,
    );
    assert.deepEqual(await readdir(join(directory, 'pki')), ['poem.txt']);
    await rm(directory, { recursive: true });
  });

  test('without ca.key is refused if the server has a new host, or its certificate has expired', async () => {
    const offline = without('ca.key');
    const moved = withChange(offline, (directory) => loadCredentials(directory, ['hub.example.com'], later(1)));
    await assert.rejects(moved, /ca\.key is missing.*server\.crt is not valid for hub\.example\.com/);
    const ended = withChange(offline, (directory) => loadCredentials(directory, hosts, later(400)));
    await assert.rejects(ended, /ca\.key is missing.*server\.crt expired on 2027-01-02/);
  });
});
