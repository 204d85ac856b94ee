/**
 * Writes the generated files. With --check, reports files that are outdated. Arguments select output folders; without
 * any, all are generated. A generator is a command that fills a folder; to add one, add a row.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

interface Generator {
  readonly name: string;
  /** Folder that the generator owns, from the repository's root. */
  readonly output: string;
  /** Its files, if it shares the folder with other files. */
  readonly files?: readonly string[];
  readonly command: readonly string[];
  readonly workingDirectory: string;
  /** What to install if the command is missing. */
  readonly needs: string;
}

const builtins = {
  workingDirectory: 'packages/builtins/generate',
  needs: 'Go 1.26 or newer (https://go.dev/dl), and the Go module proxy at the first run',
};

const api = { workingDirectory: '.', needs: 'what "npm ci" brings' };

const generators: readonly Generator[] = [
  {
    ...api,
    name: 'definitions for a hub',
    output: 'manifests/hub',
    command: [process.execPath, 'scripts/generate-manifests.ts', 'hub'],
  },
  {
    ...api,
    name: 'definitions for a member',
    output: 'manifests/member',
    command: [process.execPath, 'scripts/generate-manifests.ts', 'member'],
  },
  {
    ...api,
    name: 'rules of the chart of the hub',
    output: 'charts/hub-agent/files',
    command: [process.execPath, 'scripts/generate-chart-rules.ts'],
  },
  {
    ...api,
    name: 'reference of our kinds',
    output: 'docs',
    files: ['api-reference.md'],
    command: [process.execPath, 'scripts/generate-reference.ts'],
  },
  {
    ...api,
    name: 'reference of fleet files',
    output: 'docs',
    files: ['fleet-file-reference.md'],
    command: [process.execPath, 'scripts/generate-fleet-file-reference.ts'],
  },
  {
    ...api,
    name: 'recording of the tour',
    output: 'docs',
    files: ['tour.svg'],
    command: [process.execPath, 'scripts/generate-tour.ts'],
  },
  {
    ...builtins,
    name: 'field table of the built-in kinds',
    output: 'packages/builtins/src/generated',
    command: ['go', 'run', '.', 'table'],
  },
  {
    ...builtins,
    name: 'protobuf fixtures of the built-in kinds',
    output: 'packages/builtins/src/protobuf/fixtures',
    command: ['go', 'run', '.', 'fixtures'],
  },
];

const root = resolve(import.meta.dirname, '..');

function run(generator: Generator, output: string): void {
  const [command = '', ...args] = generator.command;
  const result = spawnSync(command, [...args, output], {
    cwd: join(root, generator.workingDirectory),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.error !== undefined && 'code' in result.error && result.error.code === 'ENOENT') {
    throw new Error(`cannot generate the ${generator.name}: ${command} is not installed; install ${generator.needs}`);
  }
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error(`cannot generate the ${generator.name}: ${command} failed`);
}

function write(generator: Generator): void {
  const output = join(root, generator.output);
  mkdirSync(output, { recursive: true });
  run(generator, output);
  console.log(`wrote the ${generator.name} to ${generator.output}`);
}

/** The generated files that differ from those in the repository. */
function outdated(generator: Generator): string[] {
  const fresh = mkdtempSync(join(tmpdir(), 'flotilla-generate-'));
  try {
    run(generator, fresh);
    const names = new Set([...readdirSync(fresh), ...(generator.files ?? readdirSync(join(root, generator.output)))]);
    return [...names].filter((name) => !isSame(join(fresh, name), join(root, generator.output, name)));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

function isSame(one: string, other: string): boolean {
  try {
    return readFileSync(one).equals(readFileSync(other));
  } catch {
    return false; // one of them is missing
  }
}

function check(generator: Generator): boolean {
  const names = outdated(generator);
  for (const name of names) console.error(`${generator.output}/${name} is outdated`);
  if (names.length === 0) console.log(`the ${generator.name}: current`);
  return names.length === 0;
}

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const isSelected = ({ output }: Generator) =>
  positionals.length === 0 || positionals.some((word) => output.startsWith(word));

try {
  const selected = generators.filter(isSelected);
  if (values.check) {
    const results = selected.map(check);
    if (results.includes(false)) throw new Error('run "npm run generate" and commit the result');
  } else {
    selected.forEach(write);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
