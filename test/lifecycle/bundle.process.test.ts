import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bundle } from '../../scripts/bundle.ts';
import { launcher, Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { asAdministrator, exchangeHttp1 } from '../wire.ts';

describe('a bundled server', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let server: FlotillaProcess;
  before(async () => {
    scratch = new Scratch();
    const entry = join(await bundle(scratch.file('dist')), 'main.mjs');
    const command = scratch.file('flotilla');
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`, { mode: 0o700 });
    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'), { command });
  });
  after(async () => {
    await server.stop();
    scratch[Symbol.dispose]();
  });

  test('finds the worker of its store and the housekeeping, which are separate files', async () => {
    const target = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
    const { status } = await exchangeHttp1(server, { target }, asAdministrator(server));
    assert.equal(status, 200);
  });

  test('starts with prepared objects, which it writes once and in order', async () => {
    const target = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const { text } = await exchangeHttp1(server, { target }, asAdministrator(server));
    const { items } = JSON.parse(text) as { items: { metadata: { resourceVersion: string } }[] };
    const revisions = items.map(({ metadata }) => Number(metadata.resourceVersion));
    const [first = 0] = revisions;
    assert.ok(revisions.length > 50);
    assert.deepEqual(
      revisions,
      Array.from(revisions, (_, index) => first + index),
    );
  });
});

describe('the launcher', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let app: string;
  before(() => {
    scratch = new Scratch();
    app = scratch.file('apps/flotilla');
    for (const folder of [`${app}/bin`, `${app}/src`, `${app}/dist/one`, scratch.file('packages/hull')]) {
      mkdirSync(folder, { recursive: true });
    }
    for (const name of ['flotilla', 'source-checksums'])
      copyFileSync(join(dirname(launcher), name), `${app}/bin/${name}`);
    writeFileSync(`${app}/src/main.ts`, "console.log('sources');\n");
    writeFileSync(scratch.file('packages/hull/index.ts'), 'export const hull = 1;\n');
    writeFileSync(`${app}/dist/one/main.mjs`, "console.log('bundle');\n");
  });
  after(() => scratch[Symbol.dispose]());

  const ranFrom = (command = `${app}/bin/flotilla`): string => execFileSync(command, { encoding: 'utf8' }).trim();
  /** Makes the bundle look newer than the sources. */
  const recordSources = (): void => {
    writeFileSync(`${app}/dist/one/begun`, String(Date.now()));
    writeFileSync(`${app}/dist/one/sources`, execFileSync(`${app}/bin/source-checksums`, [scratch.path]));
  };

  test('runs the sources if there is no bundle', () => {
    assert.equal(ranFrom(), 'sources');
  });

  test('runs the bundle while the sources are unchanged', () => {
    recordSources();
    writeFileSync(`${app}/dist/current`, 'one\n');
    assert.equal(ranFrom(), 'bundle');
    writeFileSync(scratch.file('packages/hull/index.test.ts'), '// Tests are not in it.');
    recordSources();
    writeFileSync(scratch.file('packages/hull/index.test.ts'), '// And may change.');
    assert.equal(ranFrom(), 'bundle');
  });

  test('runs the sources once one has changed, whatever its modification time', () => {
    writeFileSync(scratch.file('packages/hull/index.ts'), 'export const hull = 2;\n');
    utimesSync(scratch.file('packages/hull/index.ts'), 1, 1);
    assert.equal(ranFrom(), 'sources');
    recordSources();
    assert.equal(ranFrom(), 'bundle');
  });

  test('runs the bundle in a copy of the checkout, where all times are new, until a source changes', () => {
    const copy = scratch.file('a copy');
    for (const folder of ['apps', 'packages']) cpSync(scratch.file(folder), join(copy, folder), { recursive: true });
    const file = join(copy, 'packages/hull/index.ts');
    writeFileSync(file, readFileSync(file));
    const command = join(copy, 'apps/flotilla/bin/flotilla');
    const recordedAt = (): number => statSync(join(copy, 'apps/flotilla/dist/one/begun')).mtimeMs;
    const before = recordedAt();
    assert.equal(ranFrom(command), 'bundle');
    assert.ok(recordedAt() > before, 'the next start need not read the sources');
    assert.equal(ranFrom(command), 'bundle');
    writeFileSync(file, 'export const hull = 3;\n');
    assert.equal(ranFrom(command), 'sources');
  });

  test('runs the sources if the bundle is incomplete', () => {
    writeFileSync(`${app}/dist/current`, 'two\n');
    assert.equal(ranFrom(), 'sources');
  });
});
