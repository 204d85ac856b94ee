import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { administrator, type ApiRequest, type ApiResponse, type ResponseStream, type User } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { createApiServer } from '../server/server.ts';
import { memoryEngine } from '../store/engine/memory-engine.ts';
import { defaultRetention } from '../store/log/retention.ts';
import { backupHandler, backupPath } from './backup-path.ts';

const directory = mkdtempSync(join(tmpdir(), 'flotilla-backup-path-'));
after(() => rmSync(directory, { recursive: true }));

const jane: User = { name: 'jane', groups: ['system:authenticated'] };

let copies = 0;
const engine = {
  backup: async (file: string): Promise<void> => {
    copies++;
    await Promise.resolve();
    writeFileSync(file, 'all that there is', { flag: 'wx' });
  },
};
const store = memoryEngine({ clock: systemClock, retention: defaultRetention }).store('hub');
const adminPaths = new Map([[backupPath, backupHandler(engine, directory)]]);
const { handle } = createApiServer({ store, clock: systemClock, adminPaths });

async function ask(
  user: User | undefined,
  method = 'GET',
  signal = new AbortController().signal,
): Promise<ApiResponse> {
  const body = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());
  const request: ApiRequest = { method, path: backupPath, query: '', headers: {}, user, body, signal };
  return handle(request);
}

function messageOf({ body }: ApiResponse): string {
  return (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { message: string }).message;
}

function read(body: ResponseStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    body.start({
      write: (chunk) => chunks.push(chunk) > 0,
      end: () => resolve(Buffer.concat(chunks).toString()),
      fail: reject,
      onDrain: () => undefined,
      onClose: () => undefined,
    });
  });
}

test('administrators get the whole copy, and its file is deleted', async () => {
  const { status, headers, body } = await ask(administrator);
  assert.equal(status, 200);
  assert.equal(headers['content-length'], '17');
  assert.ok(!existsSync(join(directory, 'backup.tmp')));
  assert.equal(await read(body as ResponseStream), 'all that there is');
});

test('other users and other methods are refused', async () => {
  const made = copies;
  const refused = await ask(jane);
  assert.equal(refused.status, 403);
  assert.equal(messageOf(refused), 'forbidden: User "jane" cannot get path "/flotilla/backup"');
  assert.equal((await ask(undefined)).status, 401);
  assert.equal((await ask(administrator, 'POST')).status, 405);
  assert.equal(copies, made);
});

test('a second backup at the same time is refused', async () => {
  const [first, second] = await Promise.all([ask(administrator), ask(administrator)]);
  assert.deepEqual([first.status, second.status], [200, 429]);
  assert.equal(messageOf(second), 'another backup is being made');
  await read(first.body as ResponseStream);
  assert.equal((await ask(administrator, 'GET', AbortSignal.abort())).status, 503);
});
