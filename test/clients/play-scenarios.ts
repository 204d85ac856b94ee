import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '@flotilla/fleet';
import { differenceOf } from './compare.ts';
import { loadRecording, recordingPath } from './recordings.ts';
import { runScenario } from './run-scenario.ts';
import { loadScenarios, type Scenario } from './scenario.ts';
import { commandOf, formatOutcome } from './transcript.ts';

/** Declares a test for each chosen scenario; they play one after another on one server of ours. */
export function playScenarios(isChosen: (scenario: Scenario) => boolean): void {
  let server: Awaited<ReturnType<typeof startServer>>;
  before(async () => {
    server = await startServer({ memory: true, port: 0 });
  });
  after(() => server.close());

  for (const scenario of loadScenarios().filter(isChosen)) {
    test(`in the scenario ${scenario.name}`, async () => {
      const recorded = loadRecording(scenario);
      const actual = (await runScenario(scenario, server)).map(formatOutcome);
      assert.equal(report(scenario, recorded, actual), '');
    });
  }
}

/** Every command that differs, with its place in the recording; empty when none does. */
function report(scenario: Scenario, recorded: readonly string[], actual: readonly string[]): string {
  const file = relative(process.cwd(), recordingPath(scenario));
  const differences = recorded.flatMap((block, index) => {
    const difference = differenceOf(block, actual[index] ?? '');
    return difference === undefined ? [] : [`${file}, command ${index + 1}: ${commandOf(block)}\n${difference}\n`];
  });
  return differences.join('\n');
}
