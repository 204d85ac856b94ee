import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

test('who imports kinds, types and words loads no schema', () => {
  const files = loadedWith(resolve(import.meta.dirname, 'index.ts'));
  const builders = files.filter((file) => /^import \{[^}]*\bs\b[^}]*\} from '@flotilla\/schema'/m.test(textOf(file)));
  assert.ok(files.length > 20);
  assert.deepEqual(builders, []);
  assert.deepEqual(
    files.filter((file) => file.endsWith('-schema.ts')),
    [],
  );
});

/** All modules of the package that a static import of this one brings along; types are gone by then. */
function loadedWith(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  for (const [, clause = '', path = ''] of textOf(file).matchAll(/^(?:import|export) ([^;]*?)from '(\.[^']+)';/gm)) {
    if (!clause.startsWith('type ')) loadedWith(resolve(file, '..', path), seen);
  }
  return [...seen];
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}
