/**
 * Installs the real clients that tests run against the server, into the ignored folder .clients. Without arguments, builds
 * those of test/clients/go if they are outdated; this needs the Go toolchain and its module proxy. With names, installs
 * published clients: see published-clients.ts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { kubectlVersionFlags } from './kubectl-version-flags.ts';
import { installPublished } from './published-clients.ts';

const moduleFolder = resolve(import.meta.dirname, '../test/clients/go');
const outputFolder = resolve(import.meta.dirname, '../.clients');
/** The commands of the module, and its envtest suite as a program. */
const programs = ['kubectl', 'clientgo', 'envtest'];

const stampPath = join(outputFolder, 'built-from');

const named = process.argv.slice(2);
mkdirSync(outputFolder, { recursive: true });
if (named.length === 0) await buildModule();
else for (const name of named) installPublished(name, outputFolder);

async function buildModule(): Promise<void> {
  const stamp = sourcesHash(findGo());
  if (isCurrent(stamp)) {
    console.log('.clients is up to date');
    return;
  }
  for (const program of programs) await build(program);
  writeFileSync(stampPath, stamp);
  console.log(`built ${programs.join(', ')} into .clients`);
}

function findGo(): string {
  const { stdout, error } = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (error === undefined) return stdout.trim();
  console.error('The clients are Go programs, and `go` is not on PATH. Install Go 1.26 or newer (https://go.dev/dl/)');
  console.error('and run `npm run clients` again. Without the clients, tests that need them are skipped.');
  process.exit(1);
}

/** A hash of all sources of the binaries. */
function sourcesHash(version: string): string {
  const hash = createHash('sha256')
    .update(version)
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(resolve(import.meta.dirname, 'kubectl-version-flags.ts')));
  for (const file of readdirSync(moduleFolder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(?:go|mod|sum)$/.test(file)) hash.update(file).update(readFileSync(join(moduleFolder, file)));
  }
  return hash.digest('hex');
}

function isCurrent(stamp: string): boolean {
  const isBuilt = programs.every((program) => existsSync(join(outputFolder, program)));
  return isBuilt && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp;
}

/** The first build compiles some 500 packages in a few minutes; later ones take seconds from Go's cache. */
async function build(program: string): Promise<void> {
  console.log(`building ${program} ...`);
  const what = program === 'envtest' ? ['test', '-c'] : ['build'];
  const source = program === 'envtest' ? './envtest' : `./cmd/${program}`;
  const args = [
    ...what,
    '-v',
    '-ldflags',
    kubectlVersionFlags(join(moduleFolder, 'go.mod')),
    '-o',
    join(outputFolder, program),
    source,
  ];
  const go = spawn('go', args, {
    cwd: moduleFolder,
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exit = new Promise<number | null>((done, fail) => go.on('exit', done).on('error', fail));
  let packages = 0;
  for await (const line of createInterface(go.stderr)) {
    if (!/^[\w./-]+$/.test(line)) console.error(line);
    else if (++packages % 100 === 0) console.log(`  ${packages} packages compiled`);
  }
  const code = await exit;
  if (code === 0) return;
  console.error(
    `go build of ${program} failed (${code}). It needs Go 1.26 or newer and a module proxy (go env GOPROXY).`,
  );
  process.exit(1);
}
