import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HeartbeatScene } from '../heartbeat/heartbeat.testing.ts';
import type { CollectedProperties, PropertyProvider } from './property-provider.ts';

const observationTime = '2026-01-01T00:00:00Z';

const answer: CollectedProperties = {
  properties: { 'example.com/tide': { value: 'high', observationTime } },
  resources: { capacity: { cpu: '4' }, observationTime },
  namespaces: { default: '', web: 'work' },
  conditions: [{ type: 'example.com/Measured', status: 'True', reason: 'Measured', message: 'by hand' }],
};

function aProvider(more: Partial<PropertyProvider> = {}): PropertyProvider {
  return { start: () => undefined, collect: () => answer, ...more };
}

describe('a property provider', () => {
  test('has its answer and its conditions in the status, with the current generation', async () => {
    const scene = await HeartbeatScene.start({ provider: aProvider() });
    const { status } = await scene.imc();
    assert.deepEqual(status?.properties, answer.properties);
    assert.deepEqual(status?.resourceUsage, answer.resources);
    assert.deepEqual(status?.namespaces, answer.namespaces);
    assert.deepEqual(await scene.conditions(), [
      'ClusterPropertyProviderStarted True Started',
      'ClusterPropertyCollectionSucceeded True PropertiesCollected',
      'example.com/Measured True Measured',
    ]);
    assert.ok(status?.conditions?.every(({ observedGeneration }) => observedGeneration === 1));
    assert.equal((await scene.events())[1], 'Normal Started');
    await scene.stop();
  });

  test('is started once, however many heartbeats follow', async () => {
    let [starts, calls] = [0, 0];
    const provider = aProvider({ start: () => void starts++, collect: () => (calls++, answer) });
    const scene = await HeartbeatScene.start({ provider });
    await scene.clock.advance(120_000);
    await scene.changeSpec({ state: 'Leave' });
    await scene.changeSpec({ state: 'Join' });
    assert.deepEqual([starts, calls], [1, 4]);
    assert.equal((await scene.events()).filter((event) => event === 'Normal Started').length, 1);
    await scene.stop();
  });

  test('that fails to start is not used, and the agent counts nodes and pods itself', async () => {
    let calls = 0;
    const provider = aProvider({
      start: () => Promise.reject(new Error('no licence')),
      collect: () => (calls++, answer),
    });
    const scene = await HeartbeatScene.start({ provider });
    await scene.clock.advance(60_000);
    assert.equal(calls, 0);
    assert.deepEqual(await scene.conditions(), ['ClusterPropertyProviderStarted False FailedToStart']);
    const { status } = await scene.imc();
    assert.equal(status?.conditions?.[0]?.message, 'Failed to start the property provider: no licence');
    assert.deepEqual(Object.keys(status?.properties ?? {}), ['kubernetes-fleet.io/node-count']);
    assert.ok((await scene.events()).includes('Warning FailedToStart'));
    await scene.stop();
  });

  test('that takes more than ten seconds to start is not used', async () => {
    const scene = await HeartbeatScene.start({ provider: aProvider({ start: () => new Promise(() => undefined) }) });
    await scene.clock.advance(9_999);
    assert.deepEqual(await scene.agent(), []);
    await scene.clock.advance(1);
    assert.deepEqual(await scene.conditions(), ['ClusterPropertyProviderStarted False TimedOut']);
    assert.equal((await scene.agent())[1], 'Joined True InternalMemberClusterJoined');
    await scene.stop();
  });

  test('that does not answer within ten seconds is reported, and its last properties stay', async () => {
    let isStuck = false;
    const collect = () => (isStuck ? new Promise<CollectedProperties>(() => undefined) : answer);
    const scene = await HeartbeatScene.start({ provider: aProvider({ collect }) });
    isStuck = true;
    await scene.clock.advance(70_000);
    assert.equal((await scene.conditions())[1], 'ClusterPropertyCollectionSucceeded False TimedOut');
    assert.deepEqual((await scene.imc()).status?.properties, answer.properties);
    assert.ok((await scene.events()).includes('Warning TimedOut'));
    await scene.stop();
  });

  test('gets an aborted signal after ten seconds', async () => {
    const signals: AbortSignal[] = [];
    const collect = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<CollectedProperties>(() => undefined);
    };
    const scene = await HeartbeatScene.start({ provider: aProvider({ collect }) });
    assert.equal(signals[0]?.aborted, false);
    await scene.clock.advance(10_000);
    assert.equal(signals[0]?.aborted, true);
    await scene.stop();
  });

  test('that does not answer does not delay the stop of the agent', async () => {
    const provider = aProvider({ collect: () => new Promise<CollectedProperties>(() => undefined) });
    const scene = await HeartbeatScene.start({ provider });
    await scene.stop();
    assert.equal(scene.writes.length, 0);
  });

  test('is not called while three calls are outstanding, and again after one returns', async () => {
    const calls: ((answer: CollectedProperties) => void)[] = [];
    const collect = () => new Promise<CollectedProperties>((resolve) => calls.push(resolve));
    const scene = await HeartbeatScene.start({ provider: aProvider({ collect }) });
    await scene.clock.advance(300_000);
    assert.equal(calls.length, 3);
    assert.equal((await scene.conditions())[1], 'ClusterPropertyCollectionSucceeded False TooManyCalls');
    calls[0]?.(answer);
    await scene.clock.advance(60_000);
    assert.equal(calls.length, 4);
    calls[3]?.(answer);
    await scene.clock.advance(1000);
    assert.equal((await scene.conditions())[1], 'ClusterPropertyCollectionSucceeded True PropertiesCollected');
    await scene.stop();
  });

  test('that fails is reported with its error, and called again', async () => {
    let isBroken = true;
    const collect = () => (isBroken ? Promise.reject(new Error('the meter is broken')) : answer);
    const scene = await HeartbeatScene.start({ provider: aProvider({ collect }) });
    assert.equal((await scene.conditions())[1], 'ClusterPropertyCollectionSucceeded False FailedToCollect');
    assert.equal(
      (await scene.imc()).status?.conditions?.[1]?.message,
      'The property provider failed: the meter is broken',
    );
    isBroken = false;
    await scene.clock.advance(1000);
    assert.equal((await scene.conditions())[1], 'ClusterPropertyCollectionSucceeded True PropertiesCollected');
    await scene.stop();
  });

  for (const [problem, invalid] of [
    ['the answer is not an object', undefined],
    ['properties is not an object', { resources: {} }],
    [
      'properties["a"] has a value that is not a string',
      { properties: { a: { value: 1, observationTime } }, resources: {} },
    ],
    [
      'properties["a"] has an observationTime that is not a time such as 2026-01-31T00:00:00Z',
      { properties: { a: { value: '1', observationTime: 'now' } }, resources: {} },
    ],
    [
      'capacity["cpu"] is not a quantity such as 500m or 2Gi',
      { properties: {}, resources: { capacity: { cpu: 'x' } } },
    ],
    ['namespaces["a"] is not the name of a Work', { properties: {}, resources: {}, namespaces: { a: 1 } }],
    [
      'a condition has no type, status, reason or message, or an invalid one',
      { properties: {}, resources: {}, conditions: [{ type: 'A', status: 'Maybe', reason: 'R', message: '' }] },
    ],
  ] as const) {
    test(`does not prevent a heartbeat if ${problem}`, async () => {
      const scene = await HeartbeatScene.start({ provider: aProvider({ collect: () => invalid as never }) });
      assert.equal((await scene.agent())[1], 'Joined True InternalMemberClusterJoined');
      const message = (await scene.imc()).status?.conditions?.[1]?.message;
      assert.equal(message, `The property provider returned an invalid answer: ${problem}`);
      await scene.stop();
    });
  }
});
