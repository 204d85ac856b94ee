import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer, type RunningServer } from '@flotilla/fleet';
import type { Availability } from '@flotilla/testkit';
import { differenceOf } from './compare.ts';
import { clientRecordings } from './recordings.ts';
import { runScenario } from './run-scenario.ts';
import { loadScenarios, type Scenario } from './scenario.ts';
import { commandOf, formatOutcome } from './transcript.ts';

/** Declares a test for each scenario. They share one server, and one with housekeeping if controllers ran when they were recorded. */
export function playScenarios({ skip }: Availability, isChosen: (scenario: Scenario) => boolean): void {
  const scenarios = loadScenarios().filter(isChosen);
  play(
    skip,
    true,
    scenarios.filter(({ hasControllers }) => !hasControllers),
  );
  play(
    skip,
    false,
    scenarios.filter(({ hasControllers }) => hasControllers),
  );
}

function play(skip: Availability['skip'], bare: boolean, scenarios: readonly Scenario[]): void {
  if (scenarios.length === 0) return;
  let server: RunningServer;
  if (skip === false) {
    before(async () => {
      // Most recordings have no controllers, and therefore no service accounts.
      const options = { allowsPrivileged: false, disabledAdmission: ['ServiceAccount'] };
      server = await startServer({ memory: true, port: 0, bare, server: options });
    });
    after(() => server.stop());
  }

  for (const scenario of scenarios) {
    test(`in the scenario ${scenario.name}`, { skip }, async () => {
      const recorded = clientRecordings.load(scenario);
      const actual = (await runScenario(scenario, server)).map(formatOutcome);
      const differences = differencesOf(scenario, recorded, actual);
      if (differences.length > 0) assert.fail(`${differences.length} commands differ\n\n${differences.join('\n')}`);
    });
  }
}

/** Every command whose output differs, with its line in the recording. */
function differencesOf(scenario: Scenario, recorded: readonly string[], actual: readonly string[]): string[] {
  const file = relative(process.cwd(), clientRecordings.pathOf(scenario));
  return recorded.flatMap((block, index) => {
    const difference = differenceOf(block, actual[index] ?? '');
    return difference === undefined ? [] : [`${file}, command ${index + 1}: ${commandOf(block)}\n${difference}\n`];
  });
}
