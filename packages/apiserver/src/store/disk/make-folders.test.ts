import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolders } from './make-folders.ts';

test('makes a folder and all above it for their owner, and accepts what is there', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'flotilla-'));
  context.after(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'a/b/c');
  for (const _ of [1, 2]) makeFolders(folder);
  assert.deepEqual([statSync(folder).mode & 0o777, statSync(join(root, 'a')).mode & 0o777], [0o700, 0o700]);
  writeFileSync(join(root, 'file'), '');
  assert.throws(() => makeFolders(join(root, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeFolders(join(root, 'file/below')), { code: 'ENOTDIR' });
});

test('says that a folder cannot be made where nothing can', { skip: !existsSync('/proc/self') && 'no /proc' }, () => {
  assert.throws(() => makeFolders('/proc/flotilla/data'), { code: 'ENOENT', path: '/proc/flotilla' });
});
