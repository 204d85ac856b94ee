import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { launcher, Scratch, startCommand, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { asAdministrator, exchangeHttp1 } from '../wire.ts';

/** In a mount namespace of its own, so that the test needs no privileges and leaves nothing mounted. */
const small = 'mount -t tmpfs -o size=32m tmpfs "$1" && echo mounted && exec cat';
const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

describe(
  'a server on a full disk',
  { skip: canMount ? false : 'no disk can be mounted here', timeout: 180_000 },
  () => {
    const scratch = new Scratch();
    const disk = scratch.file('disk');
    const command = scratch.file('flotilla');
    let holder: ChildProcess;
    let server: FlotillaProcess;

    const inside = (): string[] => ['-t', String(holder.pid), '-U', '-m', '--preserve-credentials', '--'];
    const onDisk = (script: string) => spawnSync('nsenter', [...inside(), 'sh', '-c', script]);
    const start = () => startFlotilla(['--data-dir', `${disk}/data`], scratch.file('kubeconfig'), { command });
    const startHub = () => startCommand(['hub', '--port', '0', '--data-dir', `${disk}/data`], 'Ready at ', { command });
    const fillDisk = (): void => void onDisk(`cat /dev/zero > '${disk}/filler'`);

    async function ask(method: string, target: string, object?: object): Promise<{ status: number; text: string }> {
      const sent = { method, target, ...(object && { body: JSON.stringify(object) }) };
      return exchangeHttp1(server, sent, asAdministrator(server));
    }
    const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
    const create = (name: string, namespace = 'default', size = 100_000) =>
      ask('POST', configMaps(namespace), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { text: 'x'.repeat(size) },
      });

    before(async () => {
      mkdirSync(disk);
      holder = spawn('unshare', ['-Urm', 'sh', '-c', small, 'sh', disk], { stdio: ['pipe', 'pipe', 'inherit'] });
      await once(holder.stdout!, 'data');
      writeFileSync(command, `#!/bin/sh\nexec nsenter ${inside().join(' ')} '${launcher}' "$@"\n`, { mode: 0o700 });
      await (await startHub()).stop();
      server = await start();
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } };
      assert.equal((await ask('POST', '/api/v1/namespaces', namespace)).status, 201);
      for (let index = 0; index < 10; index++) {
        const answers = [await create(`kept-${index}`), await create(`doomed-${index}`, 'doomed')];
        for (const { status, text } of answers) assert.equal(status, 201, text);
      }
      fillDisk();
    });
    after(async () => {
      await server.stop();
      holder.kill();
      await once(holder, 'exit');
      scratch[Symbol.dispose]();
    });

    /** The write-ahead log may still have room for some. */
    async function createUntilRefused(): Promise<{ status: number; text: string }> {
      for (let index = 0; ; index++) {
        const answer = await create(`more-${index}`, 'default', 900_000);
        if (answer.status !== 201) return answer;
      }
    }

    test('refuses creates with the reason, and accepts deletes', async () => {
      const { status, text } = await createUntilRefused();
      assert.equal(status, 500);
      assert.match(text, /the write was not stored: the disk is full/);
      assert.equal((await ask('GET', `${configMaps('default')}/kept-0`)).status, 200);
      assert.equal((await ask('DELETE', `${configMaps('default')}/kept-0`)).status, 200);
      assert.equal((await ask('GET', `${configMaps('default')}/kept-0`)).status, 404);
    });

    test('restarts, and serves reads and deletes, also of whole namespaces', async () => {
      assert.equal((await server.stop()).code, 0);
      fillDisk();
      server = await start();
      assert.equal((await ask('GET', `${configMaps('default')}/kept-0`)).status, 404);
      assert.equal((await ask('GET', `${configMaps('default')}/kept-1`)).status, 200);
      assert.equal((await ask('DELETE', `${configMaps('default')}/kept-1`)).status, 200);
      assert.equal((await ask('DELETE', '/api/v1/namespaces/doomed')).status, 200);
      while ((await ask('GET', '/api/v1/namespaces/doomed')).status !== 404) await setTimeout(100);
    });

    test('restarts as a hub', async () => {
      await server.stop();
      fillDisk();
      const hub = await startHub();
      assert.equal((await hub.stop()).code, 0);
      server = await start();
    });

    test('accepts all writes once there is room', async () => {
      onDisk(`rm '${disk}/filler'`);
      while ((await create('after')).status !== 201) await setTimeout(100);
    });
  },
);
