import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer, type RunningServer } from '@flotilla/fleet';
import { availability } from '@flotilla/testkit';
import { Scratch } from '../flotilla-process.ts';
import { exchangeHttp1 } from '../wire.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const available = availability('helm', missingClient('helm', 'helm'));
const chart = join(import.meta.dirname, 'fixtures/chart');
const configMaps = '/api/v1/namespaces/port/configmaps';
const lights = '/apis/harbor.example.com/v1/namespaces/port/lights';

describe('Helm', { timeout: 120_000, skip: available.skip }, () => {
  let scratch: Scratch;
  let server: RunningServer;
  before(async () => {
    scratch = new Scratch();
    server = await startServer({ memory: true });
    writeFileSync(scratch.file('kubeconfig'), server.kubeconfig, { mode: 0o600 });
  });
  after(async () => {
    await server.stop();
    scratch[Symbol.dispose]();
  });

  test('installs a chart with its CRDs and hooks, and waits for it', async () => {
    await helm('install', 'harbor', chart, '--create-namespace', '--wait', '--timeout', '30s');
    assert.deepEqual(await dataOf('harbor'), { colour: 'red', revision: '1' });
    assert.equal(await colourOfLight(), 'red');
    assert.ok(await dataOf('harbor-pre-install'), 'the hook has run');
    assert.match(await helm('list'), /^harbor\s+port\s+1\s+.*deployed\s+harbor-0\.1\.0/m);
  });

  test('upgrades it', async () => {
    await helm('upgrade', 'harbor', chart, '--set', 'colour=green', '--wait', '--timeout', '30s');
    assert.deepEqual(await dataOf('harbor'), { colour: 'green', revision: '2' });
    assert.equal(await colourOfLight(), 'green');
    assert.ok(await dataOf('harbor-post-upgrade'), 'the hook has run');
  });

  test('prints why an upgrade is refused', async () => {
    const refused = helm('upgrade', 'harbor', chart, '--set', 'colour=black');
    await assert.rejects(refused, /Unsupported value: "black": supported values: "red", "green"/);
  });

  test('rolls it back', async () => {
    await helm('rollback', 'harbor', '1', '--wait', '--timeout', '30s');
    assert.deepEqual(await dataOf('harbor'), { colour: 'red', revision: '1' });
    assert.equal(await colourOfLight(), 'red');
    assert.match(await helm('history', 'harbor'), /deployed\s+harbor-0\.1\.0\s+1\s+Rollback to 1/);
  });

  test('uninstalls it', async () => {
    await helm('uninstall', 'harbor', '--wait', '--timeout', '30s');
    assert.equal(await dataOf('harbor'), undefined);
    assert.equal(await colourOfLight(), undefined);
    assert.ok(await dataOf('harbor-pre-delete'), 'the hook has run');
  });

  async function helm(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(join(clientsFolder, 'helm'), [...args, '--namespace', 'port'], {
      env: { ...process.env, KUBECONFIG: scratch.file('kubeconfig'), HOME: scratch.path },
      timeout: 60_000,
    });
    return stdout;
  }

  async function read(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { server: serving, admin } = server.credentials;
    const access = { port: server.port, authority: serving.authority, ...admin };
    const { status, text } = await exchangeHttp1(access, { target: path });
    return status === 200 ? (JSON.parse(text) as Record<string, unknown>) : undefined;
  }

  async function dataOf(name: string): Promise<unknown> {
    const found = await read(`${configMaps}/${name}`);
    return found && (found['data'] ?? {});
  }

  async function colourOfLight(): Promise<unknown> {
    const found = await read(`${lights}/harbor`);
    return (found?.['spec'] as Record<string, unknown> | undefined)?.['colour'];
  }
});
