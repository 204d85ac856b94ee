import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { freshCredentials } from '@flotilla/apiserver';
import { ManualClock } from '@flotilla/testkit';
import { startServer, type RunningServer } from './start-server.ts';

const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** The fingerprint of the certificate that a new client gets. */
function fingerprintOf({ port }: RunningServer): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

async function untilOtherFingerprint(server: RunningServer, before: string | undefined): Promise<string | undefined> {
  for (;;) {
    const fingerprint = await fingerprintOf(server);
    if (fingerprint !== before) return fingerprint;
  }
}

test('serves replaced certificate files without a restart, and reports broken ones', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-serving-'));
  const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  const replace = async (): Promise<void> => {
    const { server } = await freshCredentials(['127.0.0.1'], new Date());
    await writeFile(files.certificate, server.certificate);
    await writeFile(files.key, server.key);
  };
  await replace();
  const clock = new ManualClock(Date.now());
  const faults = Promise.withResolvers<unknown>();
  const options = { clock, bare: true, servingFiles: files, rotationFailed: faults.resolve };
  const server = await startServer(options);
  context.after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const first = await fingerprintOf(server);
  await replace();
  await clock.advance(minute);
  const second = await untilOtherFingerprint(server, first);
  await writeFile(files.key, 'no key');
  await clock.advance(minute);
  assert.ok((await faults.promise) instanceof Error);
  assert.equal(await fingerprintOf(server), second);
});

test("renews its own certificates, and reports the administrator's new one", async (context) => {
  const clock = new ManualClock(Date.now() - 250 * day);
  const renewed = Promise.withResolvers<Readonly<Record<string, string>>>();
  const server = await startServer({ clock, bare: true, accessRenewed: ({ user }) => renewed.resolve(user) });
  context.after(() => server.stop());
  const first = await fingerprintOf(server);
  await clock.skip(250 * day);
  const user = await renewed.promise;
  assert.notEqual(user['client-certificate-data'], server.access.user['client-certificate-data']);
  await untilOtherFingerprint(server, first);
});
