import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { mayImport } from './package-table.ts';
import { doorsOf, importsOf, localImportsOf, manifestIn, root, sourcesOf } from './sources.ts';

/** What tests of a package may import although it lies above the package, beside the testkit. */
const testsMayImport: Record<string, readonly string[]> = {
  // The agent runs between two servers that listen.
  member: ['fleet'],
};

describe('test support', () => {
  const sources = sourcesOf('{packages,apps}/*/src').filter((file) => !file.startsWith('packages/testkit/'));
  const supporting = globSync('{packages,apps}/*/src/**/*.{test,testing}.ts', { cwd: root });

  test('is imported by no production source', () => {
    const imports = sources.flatMap((file) => localImportsOf(file).map((target) => ({ file, target })));
    assert.deepEqual(
      imports.filter(({ target }) => /\.(test|testing)\.ts$/.test(target) || target.startsWith('packages/testkit/')),
      [],
    );
  });

  test('is named NAME.testing.ts, so that every other source is part of a program', () => {
    const entries = [
      'apps/flotilla/src/main.ts',
      ...Object.keys(mayImport).flatMap((name) => doorsOf(name).map((door) => door.file)),
      ...globSync('scripts/*.ts', { cwd: root }),
    ];
    const reached = new Set(entries);
    for (const file of reached) for (const target of localImportsOf(file)) reached.add(target);
    assert.deepEqual(
      sources.filter((file) => !reached.has(file)),
      [],
    );
  });

  for (const name of Object.keys(mayImport)) {
    const allowed = [...(mayImport[name] ?? []), 'testkit', ...(testsMayImport[name] ?? [])];
    test(`tests of ${name} know only ${allowed.join(', ')}`, () => {
      const strangers = supporting
        .filter((file) => file.startsWith(`packages/${name}/`))
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(({ target }) => target !== name && !allowed.includes(target));
      assert.deepEqual(strangers, []);
    });
  }

  for (const folder of [...Object.keys(mayImport).map((name) => `packages/${name}`), 'apps/flotilla']) {
    test(`${folder} declares what only its tests import`, () => {
      const { name, dependencies = {}, devDependencies = {} } = manifestIn(folder);
      const used = supporting.filter((file) => file.startsWith(`${folder}/`)).flatMap(importsOf);
      const upwards = new Set(used.map((target) => `@flotilla/${target}`));
      for (const known of [name, ...Object.keys(dependencies)]) upwards.delete(known);
      assert.deepEqual(Object.keys(devDependencies).sort(), [...upwards].sort());
    });
  }
});
