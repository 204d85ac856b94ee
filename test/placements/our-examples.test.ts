/** Each folder of `examples` runs to the state that its comments describe, on the fleet of `examples/fleets/regions.yaml`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  clusterApprovalRequests,
  clusterResourcePlacementEvictions,
  clusterResourcePlacements,
  clusterResourcePlacementStatuses,
} from '@flotilla/api';
import type { Kind } from '@flotilla/kube';
import { configMaps, deployments, namespaces, Story } from './story.ts';

const examples = resolve(import.meta.dirname, '../../examples');
const all = ['east-1', 'east-2', 'west-1', 'west-2'];
const resourceQuotas: Kind = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};
const available = 'Available True ResourceAvailable';

/** Folders whose examples other tests run, on a fleet of their own. */
const runElsewhere = ['fleets', 'ocm', 'tour'];

describe('examples', () => {
  let story: Story;
  before(async () => {
    story = await Story.open(readFileSync(resolve(examples, 'fleets/regions.yaml'), 'utf8'));
  });
  after(() => story.fleet.stop());

  async function apply(folder: string, file = 'placement.yaml'): Promise<void> {
    await story.apply(readFileSync(resolve(examples, folder, file), 'utf8'));
    await story.pass(65);
  }

  async function settingsOn(member: string, namespace: string): Promise<unknown> {
    return (await story.on(member, configMaps, { namespace, name: 'settings' }))?.['data'];
  }

  /** The clusters of a placement that has arrived everywhere. */
  async function arrivedOn(name: string, namespace?: string): Promise<string[]> {
    assert.equal((await story.progressOf(name, namespace)).at(-1), available);
    const clusters = await story.clustersOf(name, namespace);
    const settings = { namespace: namespace ?? name, name: 'settings' };
    assert.deepEqual(await story.membersWith(configMaps, settings), clusters);
    return clusters;
  }

  const runs: Readonly<Record<string, () => Promise<void>>> = {
    'pick-all': async () => {
      await apply('pick-all');
      assert.deepEqual(await arrivedOn('everywhere'), all);
    },
    'pick-fixed': async () => {
      await apply('pick-fixed');
      assert.deepEqual(await arrivedOn('named'), ['east-1', 'west-2']);
    },
    affinity: async () => {
      await apply('affinity');
      assert.deepEqual(await arrivedOn('western'), ['west-1', 'west-2']);
    },
    properties: async () => {
      await apply('properties');
      assert.deepEqual(await arrivedOn('roomy'), ['east-1', 'west-2']);
    },
    'topology-spread': async () => {
      await apply('topology-spread');
      assert.deepEqual(
        (await arrivedOn('spread')).map((name) => name.replace(/-.*/, '')),
        ['east', 'west'],
      );
    },
    namespaced: async () => {
      await apply('namespaced');
      assert.deepEqual(await arrivedOn('settings', 'team'), ['east-2', 'west-2']);
      assert.deepEqual(await story.membersWith(namespaces, { name: 'team' }), all);
    },
    rollout: async () => {
      const web = { namespace: 'shop', name: 'web' };
      const images = async (): Promise<string[]> => {
        const found = await Promise.all(all.map((member) => story.on(member, deployments, web)));
        return found.map((one) => JSON.stringify(one?.['spec']).replace(/.*"image":"([^"]*)".*/, '$1'));
      };
      await apply('rollout', '1-placement.yaml');
      assert.deepEqual(
        await images(),
        Array.from(all, () => 'nginx:1.27'),
      );
      await apply('rollout', '2-bad-image.yaml');
      assert.equal((await images()).filter((image) => image === 'nginx:1.27').length, 3);
      assert.match((await story.progressOf('shop')).join(), /RolloutStarted False/);
    },
    overrides: async () => {
      await apply('overrides');
      assert.deepEqual(await arrivedOn('colors'), all);
      assert.deepEqual(await settingsOn('east-2', 'colors'), { color: 'red', cluster: 'east-2' });
      assert.deepEqual(await settingsOn('west-2', 'colors'), { color: 'blue' });
    },
    envelopes: async () => {
      await apply('envelopes');
      const quota = { namespace: 'limited', name: 'pods' };
      assert.deepEqual(await story.membersWith(resourceQuotas, quota), all);
      assert.deepEqual((await story.hub.list(resourceQuotas, { namespace: 'limited' })).items, []);
    },
    'report-diff': async () => {
      await apply('report-diff');
      assert.equal((await story.progressOf('compared')).at(-1), 'DiffReported True DiffReportingCompleted');
      assert.deepEqual(await story.membersWith(namespaces, { name: 'compared' }), []);
      const { placementStatuses = [] } = await story.statusOf('compared');
      assert.equal(placementStatuses[0]?.diffedPlacements?.length, 2);
    },
    drift: async () => {
      await apply('drift');
      assert.deepEqual(await arrivedOn('drifting'), all);
      const settings = { namespace: 'drifting', name: 'settings' };
      await story.changeOn('west-1', configMaps, settings, { data: { color: 'green' } });
      await story.pass(65);
      assert.deepEqual(await settingsOn('west-1', 'drifting'), { color: 'green' });
      const { placementStatuses = [] } = await story.statusOf('drifting');
      const [drifted] = placementStatuses.flatMap(({ driftedPlacements = [] }) => driftedPlacements);
      assert.deepEqual(drifted?.observedDrifts?.[0], {
        path: '/data/color',
        valueInMember: 'green',
        valueInHub: 'blue',
      });
    },
    'staged-update': async () => {
      await apply('staged-update', 'run.yaml');
      assert.deepEqual(await story.membersWith(namespaces, { name: 'web' }), ['east-2', 'west-2']);
      const waiting = (await story.hub.list(clusterApprovalRequests)).items.map(({ metadata }) => metadata.name);
      assert.deepEqual(waiting, ['first-after-canary']);
    },
    evictions: async () => {
      await apply('evictions', '1-placement.yaml');
      assert.deepEqual(await arrivedOn('guarded'), all);
      await apply('evictions', '2-evictions.yaml');
      const { items } = await story.hub.list(clusterResourcePlacementEvictions);
      const executed = items.filter(({ status }) =>
        status?.conditions?.some(({ type, status: holds }) => type === 'Executed' && holds === 'True'),
      );
      assert.equal(executed.length, 1);
    },
    'status-in-namespace': async () => {
      await apply('status-in-namespace');
      const copy = await story.hub.get(clusterResourcePlacementStatuses, { namespace: 'open', name: 'open' });
      assert.equal(copy.sourceStatus?.conditions?.length, 6);
    },
    abandon: async () => {
      await apply('abandon');
      await story.delete(clusterResourcePlacements, { name: 'kept' });
      await story.pass(65);
      assert.deepEqual(await story.membersWith(configMaps, { namespace: 'kept', name: 'settings' }), all);
    },
    // The last one: no later placement reaches the cluster.
    taints: async () => {
      await apply('taints');
      assert.deepEqual(await arrivedOn('careful'), ['east-2', 'west-1', 'west-2']);
      assert.deepEqual(await arrivedOn('tolerant'), all);
    },
  };

  for (const [folder, run] of Object.entries(runs)) test(`${folder} does what its comments say`, run);

  test('each have a test', () => {
    const folders = readdirSync(examples, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !runElsewhere.includes(entry.name))
      .map(({ name }) => name);
    assert.deepEqual(folders.sort(), Object.keys(runs).sort());
  });
});
