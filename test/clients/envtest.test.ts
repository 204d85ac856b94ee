import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { availability } from '@flotilla/testkit';
import { runFlotilla, Scratch } from '../flotilla-process.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const suite = availability('go', missingClient('envtest'));
/** The suite reads its CRDs relative to this folder. */
const cwd = resolve(import.meta.dirname, 'go/envtest');

describe('controller-runtime on our servers', { timeout: 120_000 }, () => {
  test('passes its envtest suite', suite, async (context) => {
    using scratch = new Scratch();
    const { stdout } = await runFlotilla(['envtest', '--dir', scratch.file('assets'), '-o', 'json']);
    const { env } = JSON.parse(stdout) as { env: Record<string, string> };
    const { code, output } = await runSuite({ ...process.env, ...env });
    for (const [, line] of output.matchAll(/^--- PASS: (.*)$/gm)) context.diagnostic(line ?? '');
    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /^--- SKIP/m);
  });
});

function runSuite(env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const args = ['-test.v', '-test.timeout=100s'];
    const program = execFile(join(clientsFolder, 'envtest'), args, { cwd, env }, (_, stdout, stderr) =>
      done({ code: program.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}
