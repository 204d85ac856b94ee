import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';

/** The modules that a file loads. Type imports load nothing. */
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

  test('loads its kinds with its index', () => {
    assert.ok(loaded.some((file) => basename(file) === 'work.ts'));
  });

  test('loads schemas only for definitions, because most programs do not need them', () => {
    assert.deepEqual(
      loaded.filter((name) => name === '@flotilla/schema' || name.endsWith('-schema.ts')),
      [],
    );
  });
});
