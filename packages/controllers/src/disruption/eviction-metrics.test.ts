import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterResourcePlacementEvictions as evictions } from '@flotilla/api';
import { startMeasuredHub, type MeasuredHub } from '../family/measured-hub.testing.ts';
import { measureEvictions } from './eviction-metrics.ts';

describe('the metric of evictions', () => {
  let hub: MeasuredHub['hub'];
  let metrics: MeasuredHub['metrics'];
  let stop: MeasuredHub['stop'];
  before(async () => {
    ({ hub, metrics, stop } = await startMeasuredHub(measureEvictions));
  });
  after(() => stop());

  function series(): string[] {
    const found = metrics.text().matchAll(/^fleet_workload_eviction_complete\{([^}]*)\}/gm);
    return [...found].map(([, labels = '']) => labels.replaceAll('"', ''));
  }

  async function decide(name: string, types: Readonly<Record<string, string>>): Promise<void> {
    const conditions = Object.entries(types).map(([type, status]) => ({
      type,
      status,
      reason: 'Test',
      message: '',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T12:00:00Z',
    }));
    const value = { status: { conditions } };
    await hub.client.patch(evictions, { name }, { type: 'merge', value }, { subresource: 'status' });
    await hub.settle();
  }

  test('says of each whether it is decided and valid, until it is deleted', async () => {
    const table = [
      { name: 'executed', types: { Valid: 'True', Executed: 'True' }, ended: 'isCompleted=true,isValid=true' },
      { name: 'blocked', types: { Valid: 'True', Executed: 'False' }, ended: 'isCompleted=true,isValid=true' },
      { name: 'invalid', types: { Valid: 'False' }, ended: 'isCompleted=true,isValid=false' },
    ] as const;
    for (const { name, types, ended } of table) {
      await hub.server.create(evictions, { metadata: { name }, spec: { placementName: 'web', clusterName: 'sea' } });
      await hub.settle();
      assert.deepEqual(series(), [`name=${name},isCompleted=false,isValid=unknown`]);
      await decide(name, types);
      assert.deepEqual(series(), [`name=${name},${ended}`]);
      await hub.client.delete(evictions, { name });
      await hub.settle();
      assert.deepEqual(series(), []);
    }
  });
});
