/** The files of `examples/ocm`, which docs/ocm-placement.md shows, on the fleet of `examples/fleets/regions.yaml`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { memberClusters, ocmPlacements, placementDecisions } from '@flotilla/api';
import { namespaces, Story } from './story.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(root, 'examples/ocm');
const contentOf = (file: string): string => readFileSync(resolve(folder, file), 'utf8');

describe('Placements of OCM', () => {
  let story: Story;
  before(async () => {
    story = await Story.open(readFileSync(resolve(root, 'examples/fleets/regions.yaml'), 'utf8'));
    await story.pass(65);
    await story.apply(contentOf('1-sets.yaml'));
  });
  after(() => story.fleet.stop());

  /** `canaries: east-2`, in the order of groups and decisions. */
  async function decisionsOf(placement: string): Promise<string[]> {
    const labelSelector = `cluster.open-cluster-management.io/placement=${placement}`;
    const { items } = await story.hub.list(placementDecisions, { namespace: 'shop', labelSelector });
    return items.map(({ metadata, status }) => {
      const group = metadata.labels?.['cluster.open-cluster-management.io/decision-group-name'] ?? '';
      return `${group}: ${(status?.decisions ?? []).map(({ clusterName }) => clusterName).join(' ')}`;
    });
  }

  test('are shown in the document as they are in the examples', () => {
    const document = readFileSync(resolve(root, 'docs/ocm-placement.md'), 'utf8');
    const blocks = [...document.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml);
    assert.deepEqual(blocks, readdirSync(folder).sort().map(contentOf));
  });

  test('select members of the fleet, the best first', async () => {
    await story.apply(contentOf('2-placement.yaml'));
    assert.deepEqual(await decisionsOf('production'), [': east-1 west-1']);
    const { status } = await story.hub.get(ocmPlacements, { namespace: 'shop', name: 'production' });
    assert.equal(status?.conditions?.[1]?.reason, 'AllDecisionsScheduled');
  });

  test('spread over regions, with canaries in a group of their own', async () => {
    await story.apply(contentOf('3-spread.yaml'));
    // Balance prefers them: the other Placement has selected the first cluster of each region.
    assert.deepEqual(await decisionsOf('one-per-region'), ['canaries: east-2 west-2']);
  });

  test('drive the rollout of a ClusterResourcePlacement', async () => {
    await story.apply(contentOf('4-candidates.yaml'));
    await story.pass(65);
    assert.deepEqual(await story.clustersOf('shop'), ['east-1', 'west-1']);
    assert.deepEqual(await story.membersWith(namespaces, { name: 'shop' }), ['east-1', 'west-1']);
    const value = { metadata: { labels: { env: 'canary' } } };
    await story.hub.patch(memberClusters, { name: 'west-1' }, { type: 'merge', value });
    await story.pass(65);
    assert.deepEqual(await story.membersWith(namespaces, { name: 'shop' }), ['east-1']);
  });
});
