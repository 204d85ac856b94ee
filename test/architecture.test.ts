import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Each package, and the packages it may know about. docs/architecture.md draws the same picture. */
const mayImport: Record<string, readonly string[]> = {
  kube: [],
  cel: ['kube'],
  schema: ['kube', 'cel'],
  builtins: ['kube'],
  apiserver: ['kube', 'cel', 'schema', 'builtins'],
  client: ['kube'],
  runtime: ['kube', 'client'],
  housekeeping: ['kube', 'client', 'runtime'],
  api: ['kube', 'schema'],
  controllers: ['kube', 'api', 'client', 'runtime'],
  member: ['kube', 'builtins', 'api', 'client', 'runtime'],
  simulator: ['kube', 'client', 'runtime'],
  fleet: [
    'kube',
    'schema',
    'apiserver',
    'client',
    'runtime',
    'housekeeping',
    'api',
    'controllers',
    'member',
    'simulator',
  ],
  testkit: ['kube', 'cel', 'schema', 'builtins', 'apiserver', 'client', 'runtime', 'housekeeping', 'fleet'],
};

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
      const lines = readFileSync(resolve(root, `packages/${name}/README.md`), 'utf8')
        .trimEnd()
        .split('\n').length;
      assert.ok(lines >= 5 && lines <= 15, `it has ${lines}`);
    });
  }

  test('every folder under packages is in the table', () => {
    const folders = globSync('packages/*/package.json', { cwd: root }).map((file) => file.split('/')[1] ?? '');
    assert.deepEqual(new Set(folders), new Set(Object.keys(mayImport)));
  });

  test('nobody reaches into another package past the doors that it opens', () => {
    const deep = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(/(?:from |import\()'@flotilla\/([\w-]+)\/([^']+)'/g)]
        .map(([, name = '', door = '']) => ({ file, name, door }))
        .filter(({ name, door }) => !Object.hasOwn(Object(manifestOf(name).exports), `./${door}`)),
    );
    assert.deepEqual(deep, []);
  });
});

describe('documents', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md'], { cwd: root })) {
    test(`${file} links to what exists`, () => {
      // What looks like a link in code, as patterns do, is none.
      const text = readFileSync(resolve(root, file), 'utf8').replaceAll(/`[^`\n]*`/g, '');
      const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|click \w+ "([^"]+)"/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      );
      const broken = links.filter((link) => !/^\w+:/.test(link) && !existsSync(resolve(root, file, '..', link)));
      assert.deepEqual(broken, []);
    });
  }
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The file that is its only door, or its doors by name. */
  readonly exports?: string | Readonly<Record<string, string>>;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(resolve(root, `packages/${name}/package.json`), 'utf8')) as Manifest;
}

/** Sources without tests and without what only tests use. */
function sourcesOf(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).filter(
    (file) => !/\.(test|conformance)\.ts$|\/test-|\/recorded-/.test(file),
  );
}

function importsOf(file: string): string[] {
  return [...readFileSync(resolve(root, file), 'utf8').matchAll(/(?:from |import\()'@flotilla\/([\w-]+)/g)].map(
    (match) => match[1] ?? '',
  );
}
