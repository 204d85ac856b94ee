import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { bundle } from '../../scripts/bundle.ts';
import { currentBundle } from '../../apps/flotilla/src/current-bundle.ts';
import { Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { asAdministrator, exchangeHttp1 } from '../wire.ts';

describe('a server out of a bundle', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let server: FlotillaProcess;
  let entry: string;
  before(async () => {
    scratch = new Scratch();
    entry = await bundle(scratch.file('dist'));
    const command = scratch.file('flotilla');
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${entry}" "$@"\n`, { mode: 0o700 });
    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'), { command });
  });
  after(async () => {
    await server.stop();
    scratch[Symbol.dispose]();
  });

  test('finds the worker of its store, and the housekeeping that it loads later', async () => {
    const target = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
    const { status } = await exchangeHttp1(server, { target }, asAdministrator(server));
    assert.equal(status, 200);
  });

  test('is not made again while nothing changed', async () => {
    assert.equal(currentBundle(scratch.file('dist')), entry);
    assert.equal(await bundle(scratch.file('dist')), entry);
  });
});
