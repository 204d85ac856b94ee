import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { bundleRecordName, currentBundle, sourceNow } from './current-bundle.ts';

describe('the bundle of the command', () => {
  let root = '';
  let folder = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'flotilla-bundle-'));
    folder = join(root, 'dist');
    mkdirSync(folder);
    writeFileSync(join(root, 'hull.ts'), 'export const hull = 1;');
    writeFileSync(join(root, 'mast.ts'), 'export const mast = 2;');
    const sources = ['../hull.ts', '../mast.ts'].map((path) => sourceNow(folder, path));
    writeFileSync(join(folder, bundleRecordName), JSON.stringify({ entry: 'main.js', sources }));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('is current while its sources are as they were', () => {
    assert.equal(currentBundle(folder), join(folder, 'main.js'));
  });

  it('is not current once a source was written again, even with as many bytes', () => {
    writeFileSync(join(root, 'hull.ts'), 'export const hull = 3;');
    utimesSync(join(root, 'hull.ts'), 1, 1);
    assert.equal(currentBundle(folder), undefined);
  });

  it('is not current once a source is gone', () => {
    rmSync(join(root, 'mast.ts'));
    assert.equal(currentBundle(folder), undefined);
  });

  it('is none where none was made, or only half of one', () => {
    assert.equal(currentBundle(join(root, 'nowhere')), undefined);
    writeFileSync(join(folder, bundleRecordName), '{"entry":"main.js","sou');
    assert.equal(currentBundle(folder), undefined);
  });
});
