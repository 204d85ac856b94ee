import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memberClusters, memberNamespace, works, type Condition } from '@flotilla/api';
import { apiVersionOf, configMaps, type KubeObject } from '@flotilla/kube';
import { configMap, deployment, randomFaults, startTestFleet, type TestFleet } from '@flotilla/testkit';

const minute = 60_000;
const members = Array.from({ length: 20 }, (_, index) => `member-${index + 1}`);

/** `npm run soak` does the same with a real process, in real time. */
describe('20 members with random faults for 10 minutes', { timeout: 120_000 }, () => {
  for (const seed of [1, 2, 3]) {
    test(`are healthy afterwards, and all that was placed is available, with seed ${seed}`, async () => {
      const fleet = await startTestFleet({ members });
      try {
        await place(fleet, 'before');
        await fleet.settle();
        const timers = fleet.clock.pending;

        const schedule = randomFaults({ seed, members, durationMs: 10 * minute });
        const half = schedule.findIndex(({ atMs }) => atMs > 5 * minute);
        await fleet.faults.play(schedule.slice(0, half));
        await place(fleet, 'meanwhile');
        const rest = schedule
          .slice(half)
          .map((entry) => ({ ...entry, atMs: entry.atMs - (schedule[half]?.atMs ?? 0) }));
        await fleet.faults.play(rest);

        // The longest back-off of an agent is 15 minutes.
        await fleet.clock.advance(20 * minute);
        await fleet.settle();
        assert.deepEqual(await unhealthy(fleet), []);
        assert.ok(fleet.clock.pending <= timers, `${fleet.clock.pending} timers instead of ${timers}`);
      } finally {
        await fleet.stop();
      }
    });
  }
});

async function place(fleet: TestFleet, name: string): Promise<void> {
  for (const member of members) {
    const metadata = { name, namespace: memberNamespace(member) };
    const manifests: KubeObject[] = [configMap(name), deployment(name, { replicas: 3 })];
    await fleet.hub.create(works, {
      apiVersion: apiVersionOf(works),
      kind: works.kind,
      metadata,
      spec: { workload: { manifests } },
    });
  }
}

/** What is not as it should be. */
async function unhealthy(fleet: TestFleet): Promise<string[]> {
  const problems: string[] = [];
  const check = (what: string, conditions: readonly Condition[] | undefined, type: string): void => {
    const found = conditions?.find((condition) => condition.type === type);
    if (found?.status !== 'True') problems.push(`${what}: ${type} ${found?.status} ${found?.message}`);
  };
  for (const { metadata, status } of (await fleet.hub.list(memberClusters)).items) {
    check(metadata.name ?? '', status?.conditions, 'Joined');
    check(metadata.name ?? '', status?.agentStatus?.[0]?.conditions, 'Healthy');
    const age = fleet.clock.now() - Date.parse(status?.agentStatus?.[0]?.lastReceivedHeartbeat ?? '');
    if (!(age < 2 * minute)) problems.push(`${metadata.name}: no heartbeat for ${age} ms`);
  }
  for (const { metadata, status } of (await fleet.hub.list(works)).items) {
    for (const type of ['Applied', 'Available'])
      check(`${metadata.namespace}/${metadata.name}`, status?.conditions, type);
  }
  for (const member of members) {
    const found = await fleet.member(member).list(configMaps, { namespace: 'default' });
    if (found.items.length !== 3) problems.push(`${member} has ${found.items.length} ConfigMaps`);
  }
  return problems;
}
