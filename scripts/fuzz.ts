/**
 * Feeds random and damaged input to every parser, patch and kind: `node scripts/fuzz.ts [--seconds 60] [--seed 1]`, and
 * `--target NAME --seed N --count 1` to reproduce one failure. Exits with 1 if a target throws an undocumented error or takes
 * too long.
 */
import { parseArgs } from 'node:util';
import { feedOne, type Failure, type Target } from '../test/fuzz/fuzz.ts';
import { requestTarget } from '../test/fuzz/requests.ts';
import { pureTargets } from '../test/fuzz/targets.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string' },
    count: { type: 'string' },
  },
});

/** For each target. */
const maxFailures = 5;

async function fuzz(target: Target, firstSeed: number, deadline: number, count: number): Promise<Failure[]> {
  const failures: Failure[] = [];
  const start = performance.now();
  let inputs = 0;
  for (; inputs < count && failures.length < maxFailures && performance.now() < deadline; inputs++) {
    const failure = await feedOne(target, firstSeed + inputs);
    if (failure) failures.push(failure);
  }
  const rate = Math.round((inputs * 1000) / (performance.now() - start));
  process.stdout.write(
    `${target.name}: ${inputs} inputs, ${rate} per second${failures.length > 0 ? ', FAILED' : ''}\n`,
  );
  return failures;
}

function report({ target, seed, input, problem }: Failure): void {
  process.stdout.write(
    `\n${target} fails (--target ${JSON.stringify(target)} --seed ${seed} --count 1)\ninput: ${input}\n${problem}\n`,
  );
}

async function main(): Promise<void> {
  const all = [...pureTargets, await requestTarget()];
  const targets = values.target === undefined ? all : all.filter(({ name }) => name === values.target);
  if (targets.length === 0)
    throw new Error(`unknown target ${values.target}; choose from ${all.map(({ name }) => name).join(', ')}`);
  const shareMs = (Number(values.seconds) * 1000) / targets.length;
  for (const target of targets) {
    const count = Number(values.count ?? Number.MAX_SAFE_INTEGER);
    const failures = await fuzz(target, Number(values.seed), performance.now() + shareMs, count);
    for (const failure of failures) report(failure);
    if (failures.length > 0) process.exitCode = 1;
  }
}

await main();
