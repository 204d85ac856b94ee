import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hubDefinitions } from '@flotilla/api';
import type { HubSettings } from '@flotilla/controllers';
import { customResourceDefinitions, silentLogger, type KubeObject } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { followOcm } from './follow-ocm.ts';
import { installDefinitions } from './install-definitions.ts';

const operator = 'clustermanagers.operator.open-cluster-management.io';

describe('a hub on another Kubernetes', () => {
  let server: TestServer;
  let placements: CustomResourceDefinition;
  before(async () => {
    server = await startTestServer();
    const found = (await hubDefinitions()).find(({ metadata }) => metadata.name?.startsWith('placements.cluster.'));
    assert.ok(found);
    placements = found;
  });
  after(() => server.stop());

  /** A definition that only has a name. */
  const install = (name: string, annotations: Record<string, string> = {}): Promise<unknown> => {
    const [plural = '', ...group] = name.split('.');
    const { spec } = placements;
    const names = { ...spec.names, plural, singular: plural.slice(0, -1), kind: plural, listKind: `${plural}List` };
    return server.create(customResourceDefinitions, {
      metadata: { name, annotations },
      spec: { ...spec, group: group.join('.'), names },
    });
  };
  const remove = async (name: string): Promise<void> => {
    await server.client.delete(customResourceDefinitions, { name });
    await server.settle();
  };

  /** Records the settings of each run of the work, and whether the last one has ended. */
  async function follow(settings: HubSettings = {}) {
    const runs: HubSettings[] = [];
    const stopping = new AbortController();
    const options = { clock: server.clock, random: () => 0.5, logger: silentLogger, signal: stopping.signal };
    const ended = followOcm({ ...options, client: server.client, settings }, async (current, signal) => {
      runs.push(current);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    await settled();
    return {
      installed: () => runs.map(({ isOcmInstalled }) => isOcmInstalled),
      runs,
      stop: async () => {
        stopping.abort();
        await ended;
      },
    };
  }

  const settled = (): Promise<void> => server.settle();

  test('leaves its work to OCM when its operator is installed, and takes it up when that is removed', async () => {
    const followed = await follow({ controllers: ['*'] });
    assert.deepEqual(followed.installed(), [false]);
    await install('boats.harbor.example.com');
    await install(operator);
    await settled();
    assert.deepEqual(followed.installed(), [false, true]);
    assert.ok(followed.runs[1]?.controllers?.includes('-ocm-placement'));
    await remove(operator);
    await settled();
    assert.deepEqual(followed.installed(), [false, true, false]);
    assert.deepEqual(followed.runs[2]?.controllers, ['*']);
    await followed.stop();
  });

  test('waits until the last kind of OCM is gone, and does not mistake its own kinds for OCM', async () => {
    const [sets, scores] = ['managedclustersets', 'addonplacementscores'].map(
      (plural) => `${plural}.cluster.open-cluster-management.io`,
    );
    assert.ok(sets && scores);
    await install(sets);
    await install(scores);
    const followed = await follow();
    await installDefinitions(server.client, [placements]);
    await remove(sets);
    await settled();
    assert.deepEqual(followed.installed(), [true]);
    await remove(scores);
    await settled();
    assert.deepEqual(followed.installed(), [true, false]);
    await followed.stop();
    await remove(placements.metadata.name ?? '');
  });

  test('does what its settings say, whatever is installed', async () => {
    const followed = await follow({ isOcmInstalled: false });
    await install(operator);
    await settled();
    assert.deepEqual(followed.installed(), [false]);
    await followed.stop();
    await remove(operator);
  });

  test('of an agent of OCM only is no hub of OCM', async () => {
    const name = 'clusterclaims.cluster.open-cluster-management.io';
    await install(name);
    const followed = await follow();
    assert.deepEqual(followed.installed(), [false]);
    await followed.stop();
    const stored: KubeObject = await server.client.get(customResourceDefinitions, { name });
    assert.equal(stored.metadata.name, name);
  });
});
