import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { prepareAssets } from './envtest/assets-folder.ts';
import { makeFolders } from './make-folders.ts';
import { makeNewFile } from './new-file.ts';
import { replaceFile } from './replace-file.ts';

test('makes a folder and all above it with one mode, and accepts what is there', async (context) => {
  const root = mkdtempSync(join(tmpdir(), 'flotilla-'));
  context.after(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'a/b');
  for (const _ of [1, 2]) makeFolders(folder, 0o700);
  assert.deepEqual([statSync(folder).mode & 0o777, statSync(join(root, 'a')).mode & 0o777], [0o700, 0o700]);
  await replaceFile(join(root, 'c/d/file'), 'text');
  assert.equal(readFileSync(join(root, 'c/d/file'), 'utf8'), 'text');
  writeFileSync(join(root, 'file'), '');
  assert.throws(() => makeFolders(join(root, 'file')), { code: 'EEXIST' });
});

test(
  'fails instead of hanging where no folder can be made',
  { skip: !existsSync('/proc/self') && 'no /proc' },
  async () => {
    const error = { code: 'ENOENT', path: '/proc/flotilla' };
    await assert.rejects(replaceFile('/proc/flotilla/a/kubeconfig', ''), error);
    await assert.rejects(
      makeNewFile('/proc/flotilla/a/backup', () => Promise.resolve()),
      error,
    );
    assert.throws(() => prepareAssets('/proc/flotilla/bin', ''), error);
  },
);
