/** Compares what our controllers write with what kube-controller-manager wrote, object by object. */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { differenceOf } from '../clients/compare.ts';
import { commandOf } from '../clients/transcript.ts';
import { knownDifferences } from './known-differences.ts';
import { playScenario } from './play-scenario.ts';
import { recordings } from './recordings.ts';
import { loadScenarios, type Scenario } from './scenario.ts';
import { startSimulatedCluster, type SimulatedCluster } from './simulated-cluster.ts';

/** Starts of names. With these, known differences fail too, so that they are shown. */
const wanted = (process.env['SCENARIOS'] ?? '').split(' ').filter((start) => start !== '');
const isWanted = ({ name }: Scenario): boolean => wanted.length === 0 || wanted.some((start) => name.startsWith(start));

describe('controllers write what those of Kubernetes write', () => {
  // Each scenario has a namespace of its own, and a new cluster costs more than most scenarios.
  let cluster: SimulatedCluster;
  before(async () => {
    cluster = await startSimulatedCluster();
  });
  after(() => cluster.stop());

  async function differencesIn(scenario: Scenario): Promise<string[]> {
    const commands = scenario.steps.map(({ command }) => command);
    const recorded = recordings.load({ name: scenario.name, commands });
    return differencesOf(scenario, recorded, await playScenario(scenario, cluster, `${scenario.name}-run`));
  }

  for (const scenario of loadScenarios().filter(isWanted)) {
    const reason = wanted.length > 0 ? undefined : knownDifferences.get(scenario.name);
    if (reason === undefined) {
      test(`in the scenario ${scenario.name}`, async () => {
        const differences = await differencesIn(scenario);
        if (differences.length > 0) assert.fail(`${differences.length} steps differ\n\n${differences.join('\n')}`);
      });
    } else {
      test(`except in the scenario ${scenario.name}: ${reason}`, async () => {
        assert.notDeepEqual(await differencesIn(scenario), [], 'nothing differs; shorten known-differences.ts');
      });
    }
  }
});

/** Every step whose changes differ. */
function differencesOf(scenario: Scenario, recorded: readonly string[], actual: readonly string[]): string[] {
  const file = relative(process.cwd(), recordings.pathOf(scenario));
  return recorded.flatMap((block, index) => {
    const difference = differenceOf(block, actual[index] ?? '');
    return difference === undefined ? [] : [`${file}, step ${index + 1}: ${commandOf(block)}\n${difference}\n`];
  });
}
