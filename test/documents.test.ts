import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

function sessionsIn(document: string): string[] {
  return [...document.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
}

describe('README', () => {
  test('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = [...readme.matchAll(/`[^`]*`|^npm .*$/gm)].map(([text]) => text).join('\n');
    const named = [...commands.matchAll(/npm (?:run )?([\w:]+)/g)].map((match) => match[1] ?? '');
    const unknown = named.filter((name) => name !== 'ci' && !(name in scripts));
    assert.ok(named.includes('start') && named.includes('bench'), 'it names the main ones');
    assert.deepEqual(unknown, []);
  });
});

describe('docs/testing.md and docs/testing-placements.md', () => {
  test('show tests that pass', async () => {
    const documents = ['docs/testing.md', 'docs/testing-placements.md'].map((name) =>
      readFileSync(join(root, name), 'utf8'),
    );
    const examples = [...documents.join('\n').matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    assert.equal(examples.length, 5);
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-testing-'));
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const files = examples.map((text, index) => {
        const file = join(folder, `example-${index + 1}.test.ts`);
        writeFileSync(file, text);
        return file;
      });
      // In this process a test cannot run others.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { stdout } = await promisify(execFile)(process.execPath, ['--test', ...files], { env });
      assert.match(stdout, /pass 5\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('docs/envtest.md', () => {
  test('shows commands that work', async () => {
    const [session = ''] = sessionsIn(readFileSync(join(root, 'docs/envtest.md'), 'utf8'));
    assert.match(session, /flotilla envtest/);
    const folder = mkdtempSync(join(tmpdir(), 'flotilla-envtest-'));
    try {
      const path = `${join(root, 'apps/flotilla/bin')}:${process.env['PATH']}`;
      const env = { ...process.env, XDG_CACHE_HOME: folder, PATH: path };
      const { stdout } = await promisify(execFile)('sh', ['-ec', session], { env, cwd: folder });
      assert.match(stdout, /^Kubernetes v1\./);
      assert.match(stdout, /^etcd$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
