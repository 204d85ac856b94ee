import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, controllerManager, namespaces, secrets, silentLogger, type Kind } from '@flotilla/kube';
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
  assert.deepEqual(informers.names(), []);

  await client.create(configMaps, configMap('loud', {}, { labels: { wakes: 'yes' } }));
  await atRest();
  assert.deepEqual(new Set(reconciled), new Set(['quiet', 'loud']));

  await client.create(configMaps, configMap('later', {}));
  await atRest();
  assert.equal(reconciled.at(-1), 'later');
});

test('controllers whose first kind is not built in, or whose first kind has objects, run at once', async (context) => {
  const server = await startTestServer();
  const client = server.connect({ user: controllerManager });
  const names: string[] = [];
  const controllerOf = (name: string, kind: Kind): Controller<string> => ({
    name,
    watches: [{ kind, concerns: itself }],
    observe: () => name,
    decide: () => {
      names.push(name);
      return nothingToDo;
    },
  });
  const boats: Kind = { group: 'sea.example', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };
  const running = runControllers({
    client,
    clock: server.clock,
    random: () => 0.5,
    controllers: [controllerOf('awake', namespaces), controllerOf('custom', boats), controllerOf('asleep', secrets)],
    sleepsWithoutObjects: true,
  });
  context.after(async () => {
    await running.stop();
    await server.stop();
  });
  await server.settle();
  assert.deepEqual(new Set(names), new Set(['awake']));
  const failures = running.health().map(({ name, informerFailures }) => [name, informerFailures.length]);
  assert.deepEqual(failures, [
    ['awake', 0],
    ['custom', 1],
    ['asleep', 0],
  ]);
});

test('a controller that cannot tell whether an object wakes it is woken', async (context) => {
  const server = await startTestServer();
  const client = server.connect({ user: controllerManager });
  const reconciled: string[] = [];
  const controller: Controller<string> = {
    name: 'confused',
    watches: [{ kind: configMaps, concerns: itself }],
    wakes: () => {
      throw new TypeError('no such field');
    },
    observe: ({ name }) => name,
    decide: (name) => {
      reconciled.push(name);
      return nothingToDo;
    },
  };
  const options = { client, clock: server.clock, random: () => 0.5, controllers: [controller] };
  const running = runControllers({ ...options, sleepsWithoutObjects: true });
  context.after(async () => {
    await running.stop();
    await server.stop();
  });
  await running.ready;
  await client.create(configMaps, configMap('odd', {}));
  await server.settle();
  assert.deepEqual(new Set(reconciled), new Set(['odd']));
});

test('controllers that rested at a revision run only for later objects', async (context) => {
  const server = await startTestServer();
  const client = server.connect({ user: controllerManager });
  await client.create(configMaps, configMap('old', {}));
  const restedAt = server.store.revision;
  const informers = new InformerSet({ client, clock: server.clock, random: () => 0.5, logger: silentLogger });
  const reconciled: string[] = [];
  const controller: Controller<string> = {
    name: 'rested',
    watches: [{ kind: configMaps, concerns: itself }],
    observe: ({ name }) => name,
    decide: (name) => {
      reconciled.push(name);
      return nothingToDo;
    },
  };
  const run = () =>
    runControllers({
      client,
      clock: server.clock,
      random: () => 0.5,
      informers,
      controllers: [controller],
      sleepsWithoutObjects: true,
      restedAt,
    });
  const first = run();
  await first.ready;
  assert.ok(first.isAtRest());
  assert.deepEqual(informers.names(), []);
  await first.stop();

  await client.create(configMaps, configMap('new', {}));
  const second = run();
  context.after(async () => {
    await second.stop();
    await server.stop();
  });
  await second.ready;
  await server.settle();
  assert.deepEqual(new Set(reconciled), new Set(['old', 'new']));
});
