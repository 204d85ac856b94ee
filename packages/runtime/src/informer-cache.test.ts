import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@flotilla/client';
import { configMaps, type KubeObject } from '@flotilla/kube';
import { configMap, ManualClock } from '@flotilla/testkit';
import { failureLogger } from './failure-logger.testing.ts';
import { InformerCache, kindText } from './informer-cache.ts';
import { InformerSet } from './informer/informer-set.ts';
import { ScriptedServer } from './scripted-server.testing.ts';
import { FakeViewedCollection } from './viewed-collection.testing.ts';

const byTide = { tide: (object: KubeObject) => [(object['data'] as { tide: string }).tide] };

test('a cache summarizes an object once for each of its states, in the order of their keys', async () => {
  const clock = new ManualClock();
  const random = (): number => 0.5;
  const collection = new FakeViewedCollection();
  const client = Object.assign(createClient(new ScriptedServer(), { clock, random }), {
    view: () => collection.open(),
  });
  const informers = new InformerSet({ client, clock, random, logger: failureLogger([]) });
  const { informer } = informers.hold(configMaps, { indexes: byTide });
  await informer.whenReady();
  const cache = new InformerCache(new Map([[kindText(configMaps), informer]]));
  const summarized: string[] = [];
  const summarize = ({ metadata }: KubeObject): { readonly version: string } => {
    summarized.push(metadata.name ?? '');
    return { version: `${metadata.name} ${metadata.resourceVersion}` };
  };
  const versions = (): string[] => cache.summaries(configMaps, 'tide', 'high', summarize).map(({ version }) => version);

  collection.put(configMap('b', { tide: 'high' }));
  collection.put(configMap('a', { tide: 'high' }));
  collection.put(configMap('c', { tide: 'low' }));
  assert.deepEqual(versions(), ['a 3', 'b 2']);
  assert.deepEqual(versions(), ['a 3', 'b 2']);
  assert.deepEqual(summarized, ['a', 'b']);
  collection.put(configMap('b', { tide: 'high', moon: 'full' }));
  assert.deepEqual(versions(), ['a 3', 'b 5']);
  assert.deepEqual(summarized, ['a', 'b', 'b']);
  collection.remove({ namespace: 'default', name: 'a' });
  assert.deepEqual(versions(), ['b 5']);
});
