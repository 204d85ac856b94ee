import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDueForRenewal, isGoodForHosts, isPair } from './certificates.ts';
import { keptCredentials } from './credential-files.ts';
import { renewedCredentials } from './credentials.ts';
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

  test('are kept for their owner alone', async () => {
    const made = await keptCredentials(directory, hosts, start);
    const folder = join(directory, 'pki');
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    const files = await readdir(folder);
    assert.equal(files.length, 8);
    for (const file of files) assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600, file);
    assert.deepEqual(await keptCredentials(directory, hosts, later(200)), made);
  });

  test('have new certificates of the same authority when two thirds of a year are over', async () => {
    const before = await keptCredentials(directory, hosts, later(200));
    const renewed = await keptCredentials(directory, hosts, later(250));
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
    assert.deepEqual(await keptCredentials(directory, hosts, later(251)), renewed);
  });

  test('name the hosts of today', async () => {
    const before = await keptCredentials(directory, hosts, later(251));
    const moved = await keptCredentials(directory, [...hosts, 'hub.example.com', '::1'], later(251));
    assert.ok(!isGoodForHosts(before.server.certificate, ['hub.example.com']));
    assert.ok(isGoodForHosts(moved.server.certificate, ['hub.example.com', '::1', ...hosts]));
    assert.equal(moved.admin.certificate, before.admin.certificate);
  });

  test('are mended when a renewal was cut off between a key and its certificate', async () => {
    const { admin } = await keptCredentials(directory, hosts, later(251));
    await writeFile(join(directory, 'pki', 'server.key'), admin.key);
    const mended = await keptCredentials(directory, hosts, later(251));
    assert.ok(isPair(mended.server));
  });

  test('may be replaced by files of others, while our own clients stay', async () => {
    const own = await keptCredentials(directory, hosts, later(251));
    const other = await renewedCredentials(own, hosts, later(600));
    const file = async (name: string, text: string): Promise<string> => {
      const path = join(directory, name);
      await writeFile(path, text);
      return path;
    };
    const files = {
      certificate: await file('tls.crt', other.server.certificate),
      key: await file('tls.key', other.server.key),
      clientAuthority: await file('clients.crt', 'THEIRS'),
    };
    const identity = await identityWithFiles(own.server, files);
    assert.equal(identity.certificate, other.server.certificate);
    assert.equal(identity.authority, other.server.certificate);
    assert.equal(identity.clientAuthority, `${own.server.authority.trimEnd()}\nTHEIRS`);
  });
});
