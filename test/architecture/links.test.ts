import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { root, textOf } from './sources.ts';

describe('documents', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md'], { cwd: root })) {
    test(`${file} has no broken links`, () => {
      // What looks like a link in code, as patterns do, is none.
      const text = textOf(file).replaceAll(/`[^`\n]*`/g, '');
      const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|click \w+ "([^"]+)"/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      );
      const broken = links.filter((link) => !/^\w+:/.test(link) && !existsSync(resolve(root, file, '..', link)));
      assert.deepEqual(broken, []);
    });
  }
});
