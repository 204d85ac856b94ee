import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { mayImport } from './package-table.ts';
import { importsOf, manifestOf, root, sourcesOf, textOf } from './sources.ts';

describe('packages', () => {
  for (const [name, allowed] of Object.entries(mayImport)) {
    test(`${name} knows only ${allowed.join(', ') || 'itself'}`, () => {
      const strangers = sourcesOf(`packages/${name}/src`)
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(({ target }) => target !== name && !allowed.includes(target));
      assert.deepEqual(strangers, []);
    });

    test(`${name} declares what it imports`, () => {
      const used = new Set(sourcesOf(`packages/${name}/src`).flatMap(importsOf));
      const declared = Object.keys(manifestOf(name).dependencies ?? {});
      assert.deepEqual(
        [...used].filter((target) => !declared.includes(`@flotilla/${target}`)),
        [],
      );
    });

    test(`${name} has a README of 5 to 15 lines`, () => {
      const lines = textOf(`packages/${name}/README.md`).trimEnd().split('\n').length;
      assert.ok(lines >= 5 && lines <= 15, `it has ${lines}`);
    });
  }

  test('every folder under packages is in the table', () => {
    const folders = globSync('packages/*/package.json', { cwd: root }).map((file) => file.split('/')[1] ?? '');
    assert.deepEqual(new Set(folders), new Set(Object.keys(mayImport)));
  });

  test('docs/architecture.md shows the same table', () => {
    const rows = [...textOf('docs/architecture.md').matchAll(/^\| \[([\w-]+)\]\(\.\.\/packages\/.*\| (.*?) +\|$/gm)];
    const shown = rows
      .filter(([, name = '']) => Object.hasOwn(mayImport, name))
      .map(([, name = '', text = ''], index, all) => {
        if (!text.startsWith('all above')) return [name, text === '–' ? [] : text.split(', ')];
        const except = text.replace(/^all above(?: but )?/, '').split(', ');
        const above = all.slice(0, index).map(([, one = '']) => one);
        return [name, above.filter((one) => !except.includes(one))];
      });
    assert.deepEqual(Object.fromEntries(shown), mayImport);
  });

  test('the README links to each', () => {
    const readme = textOf('README.md');
    assert.deepEqual(
      Object.keys(mayImport).filter((name) => !readme.includes(`(packages/${name}/README.md)`)),
      [],
    );
  });

  test('every dependency accepts Node 20, so that `npm ci` prints no warning there', () => {
    const lock = JSON.parse(textOf('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly engines?: Readonly<Record<string, string>> }>>;
    };
    const others = Object.entries(lock.packages).filter(
      ([, { engines }]) => !/(?:^|\|\| )(?:\^20|>=(?:1\d|20))\b/.test(engines?.['node'] ?? '>=20'),
    );
    assert.deepEqual(others, []);
  });

  test('each package is imported only through its exports', () => {
    const deep = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).flatMap((file) =>
      [...textOf(file).matchAll(/(?:from |import\()'@flotilla\/([\w-]+)\/([^']+)'/g)]
        .map(([, name = '', door = '']) => ({ file, name, door }))
        .filter(({ name, door }) => !Object.hasOwn(Object(manifestOf(name).exports), `./${door}`)),
    );
    assert.deepEqual(deep, []);
  });
});
