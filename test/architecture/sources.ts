/** The sources of this repository, as the tests of its architecture read them. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** `file` is relative to the root, as everywhere here. */
export function textOf(file: string): string {
  return readFileSync(resolve(root, file), 'utf8');
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** What its tests import beside that. */
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** The file that is its only door, or its doors by name. */
  readonly exports?: string | Readonly<Record<string, string>>;
}

export function manifestOf(name: string): Manifest {
  return manifestIn(`packages/${name}`);
}

export function manifestIn(folder: string): Manifest {
  return JSON.parse(textOf(`${folder}/package.json`)) as Manifest;
}

/** How a package is imported, and the file that answers. */
export function doorsOf(name: string): { readonly specifier: string; readonly file: string }[] {
  const { exports: doors = {} } = manifestOf(name);
  return Object.entries(typeof doors === 'string' ? { '.': doors } : doors).map(([door, file]) => ({
    specifier: join(`@flotilla/${name}`, door),
    file: join('packages', name, file),
  }));
}

/** Sources without tests and without what only tests use. */
export function sourcesOf(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).filter((file) => !/\.(test|testing)\.ts$/.test(file));
}

export function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/(?:from |import\()'@flotilla\/([\w-]+)/g)].map((match) => match[1] ?? '');
}

/** The files of this repository that a file imports or starts as a thread, relative to its root. */
export function localImportsOf(file: string): string[] {
  const text = textOf(file);
  const imported = [...text.matchAll(/(?:from |import |import\()'((?:\.|@flotilla\/)[^']+)'/g)].map(
    ([, name = '']) => name,
  );
  // Written without its extension, which a bundle changes.
  const started = [...text.matchAll(/new URL\(`(\.\/[\w-]+)\$\{extname/g)].map(([, name = '']) => `${name}.ts`);
  return [...imported, ...started].flatMap((name) => {
    if (name.startsWith('.')) return join(file, '..', name);
    const [, owner = ''] = name.split('/');
    return doorsOf(owner).flatMap((door) => (door.specifier === name ? door.file : []));
  });
}
