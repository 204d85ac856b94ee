/**
 * Makes a tarball of each package for a registry: `npm run pack [-- FOLDER]`, by default into `dist`. Node strips no types under
 * `node_modules`, so the packages are compiled and the command is bundled; see docs/adr/0042-published-packages.md.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { preparedFileName, preparedParts } from '@flotilla/fleet/prepared';
import { bundle } from './bundle.ts';

const root = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: string | Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
}

/** Returns the files that it wrote. */
export async function pack(destination: string): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'flotilla-pack-'));
  try {
    const folders = await stageAll(work);
    mkdirSync(destination, { recursive: true });
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', destination, ...folders];
    const output = execFileSync('npm', args, { encoding: 'utf8', cwd: work });
    return output
      .trim()
      .split('\n')
      .map((file) => join(destination, file));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes each package as it is published to `stage` in the folder, and returns these folders. */
export async function stageAll(work: string): Promise<string[]> {
  const stage = join(work, 'stage');
  compile(join(work, 'compiled'));
  const command = await stageCommand(join(stage, 'flotilla'));
  const packages = readdirSync(join(root, 'packages')).map((name) => stagePackage(name, work));
  for (const part of preparedParts) {
    const file = preparedFileName(part);
    copyFileSync(join(command.bundle, file), join(stage, 'fleet/dist/prepared', file));
  }
  return [command.folder, ...packages];
}

function compile(folder: string): void {
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(root, 'scripts/pack.tsconfig.json'), '--outDir', folder], { stdio: 'inherit' });
}

/** Compiled sources, with types. */
function stagePackage(name: string, work: string): string {
  const folder = join(work, 'stage', name);
  const { exports: doors, dependencies = {}, ...manifest } = readManifest(join(root, 'packages', name));
  cpSync(join(work, 'compiled/packages', name, 'src'), join(folder, 'dist'), { recursive: true });
  copyGeneratedJson(join(root, 'packages', name, 'src'), join(folder, 'dist'));
  const published = typeof doors === 'string' ? compiledDoor(doors) : mapValues(doors, compiledDoor);
  writeManifest(folder, {
    ...common(manifest),
    sideEffects: false,
    exports: typeof doors === 'string' ? { '.': published } : published,
    dependencies,
  });
  copyFileSync(join(root, 'packages', name, 'README.md'), join(folder, 'README.md'));
  return folder;
}

/** TypeScript 7.0 emits imported JSON files only in some of its runs. */
function copyGeneratedJson(source: string, target: string): void {
  for (const file of globSync('generated/*.json', { cwd: source })) cpSync(join(source, file), join(target, file));
}

function compiledDoor(source: string): { readonly types: string; readonly default: string } {
  const path = source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '');
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

/** A bundle without dependencies, except for the Node that it runs on. */
async function stageCommand(folder: string): Promise<{ readonly folder: string; readonly bundle: string }> {
  const app = join(root, 'apps/flotilla');
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'envtest']) cpSync(join(app, part), join(folder, part), { recursive: true });
  const output = await bundle(join(folder, 'dist'));
  const manifest = readManifest(app);
  const { optionalDependencies } = readManifest(root);
  const bin = { flotilla: './bin/flotilla', 'kubectl-fleet': './bin/flotilla' };
  writeManifest(folder, { ...common(manifest, '>=20'), bin, optionalDependencies });
  copyFileSync(join(root, 'README.md'), join(folder, 'README.md'));
  return { folder, bundle: output };
}

function common({ name, version }: Pick<Manifest, 'name' | 'version'>, node = '>=24'): object {
  const { license } = readManifest(root);
  return { name, version, license, type: 'module', engines: { node } };
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

if (import.meta.main) {
  const files = await pack(resolve(process.argv[2] ?? join(root, 'dist')));
  for (const file of files) process.stdout.write(`${relative(process.cwd(), file)}\n`);
}
