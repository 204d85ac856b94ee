/**
 * Makes one bundle of the command and all that it imports, beside its sources: `npm run bundle`, and by itself with `npm ci`. The
 * launcher takes it while the sources are as they were, and them otherwise; see docs/adr/0015-the-command-runs-from-a-bundle.md.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { CodeSplittingGroup, OutputChunk } from 'rolldown';
import { bundleRecordName, currentBundle, sourceNow, type BundleRecord } from '../apps/flotilla/src/current-bundle.ts';

const root = resolve(import.meta.dirname, '..');
export const bundleFolder = join(root, 'apps/flotilla/dist');

/** Files that run on their own. Their names in the bundle are those that the sources ask for. */
const entries = {
  main: join(root, 'apps/flotilla/src/main.ts'),
  'sqlite-worker': join(root, 'packages/apiserver/src/store/sqlite-worker.ts'),
};

/** Leaves a current bundle in the folder and tells where to enter it. */
export async function bundle(folder = bundleFolder): Promise<string> {
  const current = currentBundle(folder);
  if (current !== undefined) return current;
  // Each in a place of its own: programs that run from the one before may still load parts of it.
  const place = join(folder, Date.now().toString(36));
  mkdirSync(place, { recursive: true });
  const entry = join(place, 'main.mjs');
  const sources = await write(place);
  const record: BundleRecord = {
    entry: relative(folder, entry),
    sources: sources.map((file) => sourceNow(folder, relative(folder, file))),
  };
  const file = join(folder, bundleRecordName);
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
  removeOld(folder, place);
  return entry;
}

/** Tells which files went in. */
async function write(place: string): Promise<string[]> {
  const { rolldown } = await import('rolldown');
  // Nobody imports an entry, so none has to keep its exports to itself.
  const build = await rolldown({ input: entries, platform: 'node', logLevel: 'warn', preserveEntrySignatures: false });
  try {
    const { output } = await build.write({
      dir: place,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // They would be held in memory with the code. Names and lines stay: they are what a stack trace tells.
      comments: false,
      codeSplitting: { groups: [ownChunk('schema-builder', /packages\/schema\/src\/builder\//)] },
    });
    const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
    const files = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => !id.startsWith('\0'));
    return [...new Set(files)].toSorted();
  } finally {
    await build.close();
  }
}

/** Who needs only this of a package does not load the rest, though another program of the bundle needs all of it. */
function ownChunk(name: string, test: RegExp): CodeSplittingGroup {
  return { name, test, includeDependenciesRecursively: false };
}

/** All but the newest and the one before it. */
function removeOld(folder: string, newest: string): void {
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((found) => found.isDirectory() && join(folder, found.name) !== newest)
    .map(({ name }) => name)
    .toSorted();
  for (const name of others.slice(0, -1)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** An installation without what development needs has no bundler, and is to succeed all the same. */
function hasBundler(): boolean {
  try {
    import.meta.resolve('rolldown');
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const told = hasBundler()
    ? `The command's bundle is in ${relative(root, dirname(await bundle()))}.`
    : 'The command will run from its sources: rolldown, which bundles them, is not installed.';
  process.stdout.write(`${told}\n`);
}
