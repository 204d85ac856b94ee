/**
 * Runs the tests: all of them without arguments (client suites only if their clients were built), one suite with
 * `--suite clients` or `--suite crash`, or the named files. The summary lists skipped suites with their reasons.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const { values, positionals } = parseArgs({
  options: { suite: { type: 'string' }, share: { type: 'boolean' } },
  allowPositionals: true,
});

const isClientTest = (file: string): boolean => file.startsWith('test/clients/');
/** Test files that start or kill processes run in a process of their own. */
const isIsolated = (file: string): boolean => isClientTest(file) || /\.(crash|process)\.test\.ts$/.test(file);

function testFiles(): string[] {
  const all = globSync([
    'packages/*/src/**/*.test.ts',
    'apps/*/src/**/*.test.ts',
    'test/**/*.test.ts',
    'bench/**/*.test.ts',
  ]);
  return all.filter((file) => !file.includes('node_modules')).sort();
}

function chosenFiles(): string[] {
  if (positionals.length > 0) return positionals;
  switch (values.suite) {
    case undefined:
      return testFiles();
    case 'clients':
      return testFiles().filter(isClientTest);
    case 'crash':
      process.env['FLOTILLA_CRASH_ROUNDS'] ??= '200';
      return testFiles().filter((file) => /crash/.test(file));
    default:
      throw new Error(`unknown suite ${values.suite}; choose clients or crash`);
  }
}

interface Outcome {
  passed: number;
  failed: number;
  readonly skipped: Map<string, number>;
}

/** Unit tests share a process, which is many times faster than one for each file. */
async function runFiles(files: readonly string[], isolation: 'none' | 'process', outcome: Outcome): Promise<void> {
  if (files.length === 0) return;
  const stream = run({ files: [...files], isolation, concurrency: isolation === 'process' ? 1 : true });
  stream.on('test:pass', ({ skip, details }) => {
    if (details.type === 'suite') return;
    if (skip === undefined || skip === false) outcome.passed++;
    else addCount(outcome.skipped, typeof skip === 'string' && skip !== '' ? skip : 'no reason given');
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') outcome.failed++;
    process.exitCode = 1;
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text as Buffer);
}

function addCount(counts: Map<string, number>, reason: string, count = 1): void {
  counts.set(reason, (counts.get(reason) ?? 0) + count);
}

/**
 * Few test files run one after another; many in two lanes, because one process uses one core. Each lane takes the next share when it
 * is done, so that both end together, and no heap grows for long.
 */
async function runAll(files: readonly string[], outcome: Outcome): Promise<void> {
  const isolated = files.filter(isIsolated);
  const shared = files.filter((file) => !isIsolated(file));
  if (shared.length < manyFiles) {
    await runFiles(shared, 'none', outcome);
    return runFiles(isolated, 'process', outcome);
  }
  const others = shared.filter((file) => !manyTestFiles.includes(file));
  const shares = [
    ...manyTestFiles.filter((file) => shared.includes(file)).map((file) => [file]),
    ...Array.from({ length: shareCount }, (_, share) => others.filter((_file, index) => index % shareCount === share)),
  ];
  const parts = [
    () => runFiles(isolated, 'process', outcome),
    ...shares.map((share) => () => runInChild(share, outcome)),
  ].values();
  const lane = async (): Promise<void> => {
    for (const part of parts) await part();
  };
  await Promise.all([lane(), lane()]);
}

const manyFiles = 100;
const shareCount = 10;

/**
 * Files with thousands of small tests, which are a share of their own. In another one, each test would wait for its turn of the busy
 * event loop: minutes instead of a second.
 */
const manyTestFiles = ['packages/cel/src/conformance/conformance.test.ts'];

/** The message of a child process to its parent. */
type ChildOutcome = readonly [passed: number, failed: number, skipped: readonly (readonly [string, number])[]];

async function runInChild(files: readonly string[], outcome: Outcome): Promise<void> {
  const child = fork(import.meta.filename, ['--share', ...files]);
  child.on('message', (message) => {
    const [passed, failed, skipped] = message as ChildOutcome;
    outcome.passed += passed;
    outcome.failed += failed;
    for (const [reason, count] of skipped) addCount(outcome.skipped, reason, count);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

function sendToParent({ passed, failed, skipped }: Outcome): void {
  const outcome: ChildOutcome = [passed, failed, [...skipped]];
  process.send?.(outcome, () => process.disconnect?.());
}

function summarize({ passed, failed, skipped }: Outcome): void {
  const skips = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  for (const [reason, count] of skipped) process.stdout.write(`skipped ${count}: ${reason}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skips} skipped\n`);
}

async function main(): Promise<void> {
  const files = chosenFiles();
  const outcome: Outcome = { passed: 0, failed: 0, skipped: new Map() };
  if (values.share) {
    await runFiles(files, 'none', outcome);
    return sendToParent(outcome);
  }
  await runAll(files, outcome);
  summarize(outcome);
  if (outcome.passed === 0) process.exitCode = 1;
}

await main();
