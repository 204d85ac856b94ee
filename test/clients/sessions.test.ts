import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '@flotilla/fleet';
import { availability } from '@flotilla/testkit';
import { Scratch } from '../flotilla-process.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const sessions = join(import.meta.dirname, 'sessions');
const clientNode = 'client-node/node_modules/@kubernetes/client-node/dist/index.js';
const python = 'python/bin/python';

describe('clients in other languages see their own writes', { timeout: 120_000 }, () => {
  test('@kubernetes/client-node', availability('client-node', missingClient(clientNode, 'client-node')), async () => {
    const env = { CLIENT_NODE: join(clientsFolder, clientNode) };
    assert.deepEqual(await linesOf(process.execPath, 'client-node.mjs', env), [
      'listed one',
      'patched green',
      'patched blue',
      'patched white',
      'watched MODIFIED one green',
      'watched MODIFIED one blue',
      'watched MODIFIED one white',
      'watched DELETED one white',
      'informed add one red',
      'informed update one green',
      'informed update one blue',
      'informed update one white',
      'informed delete one white',
      'read 404 NotFound',
    ]);
  });

  test('the Python client', availability('python', missingClient(python, 'python')), async () => {
    assert.deepEqual(await linesOf(join(clientsFolder, python), 'python.py', {}), [
      'listed one',
      'patched green',
      'applied white',
      'watched MODIFIED one green',
      'watched MODIFIED one white',
      'watched DELETED one white',
      'read 404 Not Found',
    ]);
  });
});

/** The output of a session on a server of its own. */
async function linesOf(program: string, session: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  using scratch = new Scratch();
  const server = await startServer({ memory: true });
  try {
    writeFileSync(scratch.file('kubeconfig'), server.kubeconfig, { mode: 0o600 });
    const { stdout } = await promisify(execFile)(program, [join(sessions, session)], {
      env: { ...process.env, ...env, KUBECONFIG: scratch.file('kubeconfig') },
      timeout: 60_000,
    });
    return stdout.trimEnd().split('\n');
  } finally {
    await server.stop();
  }
}
