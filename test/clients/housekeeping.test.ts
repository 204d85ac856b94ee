import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer, type RunningServer } from '@flotilla/fleet';
import { availability } from '@flotilla/testkit';
import { clientsFolder, missingClient } from './clients-folder.ts';

const { skip } = availability('kubectl', missingClient('kubectl'));

/** An owner with a dependent that blocks its deletion, like a ReplicaSet and its pods. */
function family(name: string, uid: string): string {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true };
  const metadata = { name: `${name}-child`, ownerReferences: [owner] };
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

type Kubectl = (...args: string[]) => Promise<string>;

/** Runs kubectl with the folder as home directory. */
function kubectlIn(folder: string, { kubeconfig }: RunningServer): Kubectl {
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig);
  const options = { env: { HOME: folder, KUBECONFIG: file, PATH: '/usr/bin:/bin' }, timeout: 30_000 };
  return async (...args) => (await promisify(execFile)(join(clientsFolder, 'kubectl'), args, options)).stdout.trim();
}

describe('kubectl, on a server with housekeeping,', { skip }, () => {
  let server: RunningServer;
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-housekeeping-'));
  let kubectl: Kubectl;
  before(async () => {
    server = await startServer({ memory: true });
    kubectl = kubectlIn(folder, server);
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const apply = (text: string): Promise<string> => {
    const file = join(folder, 'object.json');
    writeFileSync(file, text);
    return kubectl('apply', '-f', file);
  };
  const makeFamily = async (name: string): Promise<void> => {
    await kubectl('create', 'configmap', name);
    await apply(family(name, await kubectl('get', 'configmap', name, '-o', 'jsonpath={.metadata.uid}')));
  };

  test('deletes a namespace with all its objects', async () => {
    await kubectl('create', 'namespace', 'sea');
    await kubectl('create', 'configmap', 'cargo', '-n', 'sea');
    await kubectl('create', 'deployment', 'boat', '--image=boat', '-n', 'sea');
    assert.equal(await kubectl('delete', 'namespace', 'sea'), 'namespace "sea" deleted');
    assert.equal(await kubectl('get', 'namespace', 'sea', '--ignore-not-found'), '');
    assert.equal(await kubectl('get', 'configmaps,deployments', '-n', 'sea', '-o', 'name'), '');
  });

  test('deletes dependents in the background', async () => {
    await makeFamily('background');
    await kubectl('delete', 'configmap', 'background', '--cascade=background');
    await kubectl('wait', '--for=delete', 'configmap/background-child', '--timeout=20s');
  });

  test('deletes dependents first, in the foreground', async () => {
    await makeFamily('foreground');
    // It waits until the owner is removed, which is after its dependent.
    await kubectl('delete', 'configmap', 'foreground', '--cascade=foreground');
    assert.equal(await kubectl('get', 'configmap', 'foreground-child', '--ignore-not-found'), '');
  });

  test('leaves orphans without an owner reference', async () => {
    await makeFamily('orphan');
    await kubectl('delete', 'configmap', 'orphan', '--cascade=orphan');
    const owners = await kubectl('get', 'configmap', 'orphan-child', '-o', 'jsonpath={.metadata.ownerReferences}');
    assert.equal(owners, '');
  });

  test('finds a service account and a CA certificate in every namespace', async () => {
    await kubectl('create', 'namespace', 'new');
    await kubectl('wait', '--for=create', 'serviceaccount/default', '-n', 'new', '--timeout=20s');
    await kubectl('wait', '--for=create', 'configmap/kube-root-ca.crt', '-n', 'new', '--timeout=20s');
    const certificate = await kubectl('get', 'configmap', 'kube-root-ca.crt', '-o', 'jsonpath={.data.ca\\.crt}');
    assert.match(certificate, /^-----BEGIN CERTIFICATE-----/);
  });
});

describe('kubectl, on a bare server,', { skip }, () => {
  test('only marks a namespace as deleted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-bare-'));
    const server = await startServer({ memory: true, bare: true });
    try {
      const kubectl = kubectlIn(folder, server);
      assert.equal(await kubectl('get', 'serviceaccounts', '-A', '-o', 'name'), '');
      await kubectl('create', 'namespace', 'sea');
      await kubectl('delete', 'namespace', 'sea', '--wait=false');
      assert.equal(await kubectl('get', 'namespace', 'sea', '-o', 'jsonpath={.status.phase}'), 'Terminating');
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
