/** The contract of informers and controllers on a real server, for every transport. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { configMaps, silentLogger, type ConfigMap, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { indexByLabel, InformerSet, runControllers, type Controller } from '@flotilla/runtime';
import { systemClock } from '@flotilla/timing';
import { aConfigMap, Follower, versionsOf } from './followed-informer.ts';

export interface OpenClient {
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

export function controllersConformance(name: string, open: () => Promise<OpenClient>): void {
  describe(`controllers ${name}`, () => {
    let client: Client;
    let informers: InformerSet;
    let stop: () => Promise<void>;
    before(async () => {
      ({ client, stop } = await open());
      informers = new InformerSet({ client, clock: systemClock, random: Math.random, logger: silentLogger });
    });
    after(async () => {
      await client.close();
      await stop();
    });
    const key = (of: string): ObjectKey => ({ namespace: 'default', name: of });
    const patch = (of: string, value: object): Promise<ConfigMap> =>
      client.patch(configMaps, key(of), { type: 'merge', value: { ...value } });

    test('have informers that equal a list', async () => {
      for (let n = 0; n < 20; n++) await client.create(configMaps, aConfigMap(`early-${n}`));
      const { informer, release } = informers.hold(configMaps, { indexes: indexByLabel('tide') });
      const follower = new Follower(informer);
      await informer.whenReady();
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => client.create(configMaps, aConfigMap(`late-${n}`, 'high'))),
      );
      for (let n = 0; n < 20; n += 2) {
        await client.delete(configMaps, key(`early-${n}`));
        await patch(`late-${n}`, { metadata: { labels: { tide: 'low' } } });
      }
      await follower.untilSeen(await client.create(configMaps, aConfigMap('the-last')));
      const { items } = await client.list(configMaps, { namespace: 'default' });
      assert.deepEqual(follower.versions(), versionsOf(items));
      assert.deepEqual(versionsOf(informer.all()), versionsOf(items));
      assert.equal(informer.countIn('label:tide', 'low'), 10);
      assert.equal(informer.countIn('label:tide', 'high'), 10);
      await release();
    });

    test('reconcile until nothing differs, and then write nothing', async () => {
      const { informer, release } = informers.hold(configMaps);
      const follower = new Follower(informer);
      const becomes = (doubled: string): Promise<void> =>
        follower.until(() => follower.get('counted')?.data?.['doubled'] === doubled);
      await client.create(configMaps, aConfigMap('counted'));
      const turns: string[] = [];
      const controllers = [doubler('counted', turns)];
      const running = runControllers({ client, controllers, clock: systemClock, random: Math.random, informers });
      await running.ready;
      await becomes('2');
      await patch('counted', { data: { value: '4' } });
      await becomes('8');
      await patch('counted', { data: { value: '21' } });
      await becomes('42');
      await running.stop();
      await release();
      assert.equal(running.health()[0]?.failing, 0);
      assert.ok(turns.length <= 8, `${turns.length} turns for three values`);
    });
  });
}

/** Writes the double beside a value. */
function doubler(name: string, turns: string[]): Controller<ConfigMap> {
  const concerns = (now: KubeObject | undefined): ObjectKey[] =>
    now?.metadata.name === name ? [{ namespace: 'default', name }] : [];
  return {
    name: 'doubler',
    watches: [{ kind: configMaps, concerns }],
    observe: (key, cache) => cache.get(configMaps, key),
    decide: (map) => {
      turns.push(map.metadata.resourceVersion ?? '');
      const doubled = String(2 * Number(map.data?.['value']));
      return { steps: [[{ verb: 'update', kind: configMaps, object: { ...map, data: { ...map.data, doubled } } }]] };
    },
  };
}
