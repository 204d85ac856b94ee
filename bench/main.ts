/** `npm run bench -- [figure …] [-o json] [--details]`: measures figures and compares them with their bars. See README.md. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundle } from '../scripts/bundle.ts';
import { BenchContext } from './bench-context.ts';
import { chosenFigures, figures, type Figure } from './figures/figures.ts';
import { verdictOf, type Measurement } from './results/measurement.ts';
import { tableOf } from './results/table.ts';

const { values, positionals } = parseArgs({
  options: {
    output: { type: 'string', short: 'o' },
    directory: { type: 'string' },
    details: { type: 'boolean' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});

if (values.help) help();
else await main();

async function main(): Promise<void> {
  const chosen = chosenFigures(positionals);
  if (!existsSync('/proc/self/stat')) throw new Error('the bench reads CPU and memory from /proc; run it on Linux');
  const { show, clear } = progressLine();
  show('bundling the command');
  await bundle();
  const context = new BenchContext(show, values.directory);
  try {
    const measurements = await measureAll(chosen, context);
    clear();
    const printed = values.details ? measurements : measurements.filter(({ isDetail }) => isDetail !== true);
    process.stdout.write(values.output === 'json' ? jsonOf(measurements) : tableOf(printed));
  } finally {
    await context.stop();
  }
}

async function measureAll(chosen: readonly Figure[], context: BenchContext): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const figure of chosen) measurements.push(...(await figure.run(context)));
  return measurements;
}

function jsonOf(measurements: readonly Measurement[]): string {
  const all = measurements.map((measurement) => ({ ...measurement, verdict: verdictOf(measurement) }));
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

function help(): void {
  const lines = figures.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`);
  process.stdout.write(
    `npm run bench -- [figure …] [-o json] [--details] [--directory DIR]\n\n${lines.join('\n')}\n\n` +
      '--details also prints diagnostic rows: for `stall`, the longest wait during each request.\n' +
      '--directory is the parent of the temporary data directories (default: the system directory for temporary files).\n',
  );
}

/** On stderr: one line that changes on a terminal, and a line for each text elsewhere. */
function progressLine(stream: NodeJS.WriteStream = process.stderr): {
  show: (text: string) => void;
  clear: () => void;
} {
  return {
    show: (text) => void stream.write(stream.isTTY ? `\r\u001B[K${text} …` : `${text} …\n`),
    clear: () => void (stream.isTTY && stream.write('\r\u001B[K')),
  };
}
