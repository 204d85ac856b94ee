/**
 * Bundles the command and its imports: `npm run bundle`, also run by `npm ci`. The launcher runs the bundle while the sources
 * are unchanged; see docs/adr/0015-the-command-runs-from-a-bundle.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { CodeSplittingGroup } from 'rolldown';

const root = resolve(import.meta.dirname, '..');

/** Files that run as a process or a thread. The sources refer to them by these names. */
const entries = {
  main: join(root, 'apps/flotilla/src/main.ts'),
  'sqlite-worker': join(root, 'packages/apiserver/src/store/sqlite/sqlite-worker.ts'),
  'heavy-worker': join(root, 'packages/apiserver/src/heavy/heavy-worker.ts'),
  'hub-heavy-worker': join(root, 'packages/fleet/src/hub-heavy-worker.ts'),
  'member-thread-worker': join(root, 'packages/fleet/src/threads/member-thread-worker.ts'),
};

/**
 * Modules that are loaded together. Without this the bundler makes a chunk for each set of entries, about a hundred for `flotilla up`, and
 * finding and linking them takes 30 ms. The files that the patterns leave out are loaded only when they are needed.
 */
const chunks: Readonly<Record<string, RegExp>> = {
  'schema-builder': /packages\/schema\/src\/builder\//,
  kube: /packages\/(?:kube|timing)\/src\//,
  builtins: /packages\/builtins\/src\//,
  api: /packages\/api\/src\/(?!.*(?:definition|schema))/,
  client: /packages\/client\/src\/(?!http|connect|kubeconfig)/,
  runtime: /packages\/runtime\/src\//,
  scheduler: /packages\/scheduler\/src\//,
  session: /apps\/flotilla\/src\/(?:session\/(?!lazy)|terminal\/|fleets\/|placement-view\/|explain-access)/,
};

/** Writes a bundle and returns its folder. */
export async function bundle(folder = join(root, 'apps/flotilla/dist')): Promise<string> {
  // Each bundle has its own folder: running processes may still load parts of the previous one.
  const name = Date.now().toString(36);
  const output = join(folder, name);
  mkdirSync(output, { recursive: true });
  // The launcher compares the time of this file with those of the sources.
  writeFileSync(join(output, 'begun'), '');
  // For copies of the checkout, where all times are new.
  writeFileSync(join(output, 'sources'), execFileSync(join(root, 'apps/flotilla/bin/source-checksums'), [root]));
  await Promise.all([write(output), writePrepared(output)]);
  writeFileSync(join(folder, 'current.new'), `${name}\n`);
  renameSync(join(folder, 'current.new'), join(folder, 'current'));
  removeOld(folder, name);
  return output;
}

async function write(output: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  // No module imports an entry, so entries may share chunks freely.
  const build = await rolldown({ input: entries, platform: 'node', logLevel: 'warn', preserveEntrySignatures: false });
  try {
    await build.write({
      dir: output,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // Comments would stay in memory with the code. Names and line breaks remain for stack traces.
      comments: false,
      codeSplitting: { groups: Object.entries(chunks).map(([name, test]) => ownChunk(name, test)) },
    });
  } finally {
    await build.close();
  }
}

/** A first start stores these objects instead of creating them: docs/adr/0030-objects-of-a-new-hub-are-prepared.md. */
async function writePrepared(output: string): Promise<void> {
  const { prepareHub, preparedFileName, preparedParts } = await import('@flotilla/fleet/prepared');
  const prepared = await prepareHub();
  for (const part of preparedParts) writeFileSync(join(output, preparedFileName(part)), prepared[part]);
}

/** Keeps a part of a package in a chunk of its own, so that one entry can load it without the rest. */
function ownChunk(name: string, test: RegExp): CodeSplittingGroup {
  return { name, test, includeDependenciesRecursively: false };
}

/** Keeps the newest and the one before it. */
function removeOld(folder: string, newest: string): void {
  const others = readdirSync(folder, { withFileTypes: true })
    .filter((found) => found.isDirectory() && found.name !== newest)
    .map(({ name }) => name)
    .toSorted();
  for (const name of others.slice(0, -1)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** An installation without development dependencies has no bundler, and must succeed all the same. */
function hasBundler(): boolean {
  try {
    import.meta.resolve('rolldown');
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const result = hasBundler()
    ? `Wrote the bundle to ${relative(root, await bundle())}.`
    : 'The command runs from its sources, because rolldown is not installed.';
  process.stdout.write(`${result}\n`);
}
