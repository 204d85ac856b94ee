import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, controllerManager, secrets, silentLogger } from '@flotilla/kube';
import { configMap, ManualClock, settle, startTestServer } from '@flotilla/testkit';
import { itself, type Controller } from './controller.ts';
import { InformerSet } from './informer/informer-set.ts';
import { nothingToDo } from './plan.ts';
import { runControllers } from './run-controllers.ts';

test('a controller that sleeps runs from the first object on that gives it something to do', async (context) => {
  const clock = new ManualClock();
  const server = await startTestServer({ clock });
  const client = server.connect({ user: controllerManager });
  const random = () => 0.5;
  const informers = new InformerSet({ client, clock, random, logger: silentLogger });
  const reconciled: string[] = [];
  const controller: Controller<string> = {
    name: 'sleepy',
    watches: [
      { kind: configMaps, concerns: itself },
      { kind: secrets, concerns: itself },
    ],
    wakes: ({ metadata }) => metadata.labels?.['wakes'] === 'yes',
    observe: ({ name }) => name,
    decide: (name) => {
      reconciled.push(name);
      return nothingToDo;
    },
  };
  const running = runControllers({
    client,
    clock,
    random,
    informers,
    controllers: [controller],
    sleepsWithoutObjects: true,
  });
  context.after(async () => {
    await running.stop();
    assert.deepEqual(informers.names(), []);
    await server.stop();
  });
  const atRest = () => settle(clock, running.isAtRest, { stepMs: 1 });

  await running.ready;
  await client.create(configMaps, configMap('quiet', {}));
  await atRest();
  assert.deepEqual(reconciled, []);
  assert.deepEqual(informers.names(), ['configmaps/v1']);

  await client.create(configMaps, configMap('loud', {}, { labels: { wakes: 'yes' } }));
  await atRest();
  assert.deepEqual(new Set(reconciled), new Set(['quiet', 'loud']));

  await client.create(configMaps, configMap('later', {}));
  await atRest();
  assert.equal(reconciled.at(-1), 'later');
});
