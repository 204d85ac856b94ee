import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { Scheduler, type SchedulingRequest } from '@flotilla/scheduler';
import { loadSchedulerPlugins } from './load-scheduler-plugins.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-test-'));
after(() => rmSync(folder, { recursive: true }));

function inFile(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe('scheduler plugins', () => {
  test('are loaded from modules, in order', async () => {
    const first = inFile('first.mjs', 'export const filters = { Night: () => true };');
    const second = inFile('second.mjs', 'export const scores = { Price: () => 1 };');
    const plugins = await loadSchedulerPlugins([second, first]);
    assert.deepEqual(
      plugins.map(({ name }) => name),
      ['Price', 'Night'],
    );
    await assert.rejects(loadSchedulerPlugins([first, first]), /there is already a scheduler plugin Night/);
  });

  test('are refused with the file and the reason', async () => {
    const none = inFile('none.mjs', 'export const filter = () => true;');
    await assert.rejects(loadSchedulerPlugins([none]), /none\.mjs is not a scheduler plugin: it must export filters/);
    await assert.rejects(
      loadSchedulerPlugins(['./nothing.mjs']),
      /cannot load the scheduler plugin \.\/nothing\.mjs: /,
    );
  });
});

describe('docs/scheduler-plugins.md', () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../../../docs/scheduler-plugins.md'), 'utf8');
  const [, shown = ''] = document.split('```js\n');

  function aCluster(
    name: string,
    annotations: Record<string, string>,
    cost: string,
  ): SchedulingRequest['clusters'][number] {
    const time = '2026-01-01T12:00:00Z';
    const condition = (type: string) =>
      ({ type, status: 'True', reason: 'Reported', message: '', lastTransitionTime: time }) as const;
    const conditions = [condition('Joined'), condition('Healthy')];
    return {
      apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
      kind: 'MemberCluster',
      metadata: { name, annotations },
      spec: { identity: { kind: 'User', name: 'agent' }, heartbeatPeriodSeconds: 60 },
      status: {
        agentStatus: [{ type: 'MemberAgent', lastReceivedHeartbeat: time, conditions }],
        properties: { 'kubernetes.azure.com/per-cpu-core-cost': { value: cost, observationTime: time } },
      },
    };
  }

  test('shows a plugin that works', async () => {
    const plugins = await loadSchedulerPlugins([inFile('shown.mjs', shown.split('```')[0] ?? '')]);
    const { decisions } = new Scheduler({ plugins }).schedule({
      policySnapshotName: 'shop-0',
      policy: { placementType: 'PickN' },
      numberOfClusters: 1,
      clusters: [
        aCluster('cheap', {}, '0.02'),
        aCluster('dear', {}, '0.30'),
        aCluster('frozen', { 'example.com/frozen-until': '2026-01-02T00:00:00Z' }, '0.01'),
      ],
      bindings: [],
      now: new Date('2026-01-01T12:00:00Z'),
    });
    assert.deepEqual(
      decisions.map(({ clusterName, selected, clusterScore }) => [clusterName, selected, clusterScore?.affinityScore]),
      [
        ['cheap', true, 98],
        ['dear', false, 70],
        ['frozen', false, undefined],
      ],
    );
    assert.ok(document.includes(decisions[2]?.reason ?? 'no reason'));
  });
});
