import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';

/** What a file loads when it is imported. Imports of types are gone by then. */
function loadedBy(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)].map((match) => match[1] ?? '');
}

function allLoadedBy(file: string, found = new Set<string>()): Set<string> {
  for (const target of loadedBy(file)) {
    const name = target.startsWith('.') ? join(dirname(file), target) : target;
    if (found.has(name)) continue;
    found.add(name);
    if (target.startsWith('.')) allLoadedBy(name, found);
  }
  return found;
}

describe('the package', () => {
  const loaded = [...allLoadedBy(join(import.meta.dirname, 'index.ts'))];

  test('loads its kinds with its face', () => {
    assert.ok(loaded.some((file) => basename(file) === 'work.ts'));
  });

  test('loads schemas only for those who ask for definitions, because most programs start without', () => {
    assert.deepEqual(
      loaded.filter((name) => name === '@flotilla/schema' || name.endsWith('-schema.ts')),
      [],
    );
  });
});
