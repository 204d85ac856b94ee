/**
 * Makes one bundle of the command and all that it imports, beside its sources: `npm run bundle`, and by itself with `npm ci`. The
 * launcher takes it while the sources are the same; see docs/adr/0015-the-command-runs-from-a-bundle.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { CodeSplittingGroup } from 'rolldown';

const root = resolve(import.meta.dirname, '..');

/** Files that run on their own. Their names in the bundle are those that the sources ask for. */
const entries = {
  main: join(root, 'apps/flotilla/src/main.ts'),
  'sqlite-worker': join(root, 'packages/apiserver/src/store/sqlite/sqlite-worker.ts'),
  'heavy-worker': join(root, 'packages/apiserver/src/heavy/heavy-worker.ts'),
  'hub-heavy-worker': join(root, 'packages/fleet/src/hub-heavy-worker.ts'),
};

/** Leaves a bundle in the folder and tells where it is. */
export async function bundle(folder = join(root, 'apps/flotilla/dist')): Promise<string> {
  // Each in a place of its own: programs that run from the one before may still load parts of it.
  const name = Date.now().toString(36);
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  // What is touched from now on may not be in it.
  writeFileSync(join(place, 'begun'), '');
  // What a copy of the checkout is compared with, where all times are new.
  writeFileSync(join(place, 'sources'), execFileSync(join(root, 'apps/flotilla/bin/source-checksums'), [root]));
  await write(place);
  writeFileSync(join(folder, 'current.new'), `${name}\n`);
  renameSync(join(folder, 'current.new'), join(folder, 'current'));
  removeOld(folder, name);
  return place;
}

async function write(place: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  // Nobody imports an entry, so none has to keep its exports to itself.
  const build = await rolldown({ input: entries, platform: 'node', logLevel: 'warn', preserveEntrySignatures: false });
  try {
    await build.write({
      dir: place,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // They would be held in memory with the code. Names and lines stay: they are what a stack trace tells.
      comments: false,
      codeSplitting: { groups: [ownChunk('schema-builder', /packages\/schema\/src\/builder\//)] },
    });
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
    .filter((found) => found.isDirectory() && found.name !== newest)
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
    ? `The command's bundle is in ${relative(root, await bundle())}.`
    : 'The command will run from its sources: rolldown, which bundles them, is not installed.';
  process.stdout.write(`${told}\n`);
}
