import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { configMaps, events, isNotFound } from '@flotilla/kube';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';
import { startFleet } from '../start-fleet.ts';
import { changeFaults, runningMembers, runningMembersKey, untilInForce, wantedFaultsKey } from './fault-objects.ts';
import { noFaults, printFaults } from './member-faults.ts';

describe('the faults that the hub has', () => {
  let fleet: TestFleet;

  before(async () => {
    fleet = await startTestFleet({ members: ['oslo', 'rome'] });
  });
  after(() => fleet.stop());

  const faultsOf = (name: string): string => printFaults(fleet.running.members.get(name)!.faults());
  const reported = async (): Promise<Record<string, string>> => Object.fromEntries((await runningMembers(fleet.hub))!);

  async function write(data: Record<string, string | null>): Promise<void> {
    await fleet.hub
      .patch(configMaps, wantedFaultsKey, { type: 'merge', value: { data } })
      .catch(async (error: unknown) => {
        if (!isNotFound(error)) throw error;
        const set = Object.fromEntries(Object.entries(data).filter(([, text]) => text !== null)) as Record<
          string,
          string
        >;
        const metadata = wantedFaultsKey;
        await fleet.hub.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: set });
      });
    await fleet.settle();
  }

  test('are none at first, and all members are listed', async () => {
    assert.deepEqual(await reported(), { oslo: 'none', rome: 'none' });
  });

  test('are applied when the ConfigMap changes, and lifted when a key is removed', async () => {
    await write({ oslo: 'slow 300ms', rome: 'fail agent, partition' });
    assert.deepEqual([faultsOf('oslo'), faultsOf('rome')], ['slow 300ms', 'partition, fail agent']);
    assert.deepEqual(await reported(), { oslo: 'slow 300ms', rome: 'partition, fail agent' });
    await write({ rome: null });
    assert.deepEqual(await reported(), { oslo: 'slow 300ms', rome: 'none' });
    await fleet.hub.delete(configMaps, wantedFaultsKey);
    await fleet.settle();
    assert.deepEqual(await reported(), { oslo: 'none', rome: 'none' });
  });

  test('are ignored where they make no sense, with a Warning event and the reason', async () => {
    await write({ oslo: 'partition', rome: 'stop' });
    await write({ oslo: 'explode', rome: 'stop', bergen: 'stop' });
    assert.equal(faultsOf('oslo'), 'partition');
    assert.match((await reported())['oslo']!, /^partition \(ignored: "explode" is not a fault; /);
    const { items } = await fleet.hub.list(events, { namespace: wantedFaultsKey.namespace });
    const messages = items.filter(({ reason, type }) => reason === 'InvalidFaults' && type === 'Warning');
    const refused = new Set(messages.map(({ message }) => (message as string).split(';')[0]));
    assert.deepEqual(refused, new Set(['bergen: this fleet runs no such member', 'oslo: "explode" is not a fault']));
    await write({ oslo: null, rome: null, bergen: null });
    assert.deepEqual(await reported(), { oslo: 'none', rome: 'none' });
  });

  test('of several members can be changed at the same time', async () => {
    const slow = (delayMs: number) => (faults: typeof noFaults) => ({ ...faults, delayMs });
    const changes = Array.from({ length: 8 }, (_, at) =>
      changeFaults(fleet.hub, at % 2 ? 'oslo' : 'rome', slow(at + 1)),
    );
    await Promise.all(changes);
    const lifted = await changeFaults(fleet.hub, 'oslo', () => noFaults);
    await fleet.clock.advanceUntil(untilInForce(fleet.hub, 'oslo', lifted, AbortSignal.timeout(5000)));
    assert.match(faultsOf('rome'), /^slow [1357]ms$/);
    await changeFaults(fleet.hub, 'rome', () => noFaults);
    await fleet.settle();
    assert.deepEqual(await reported(), { oslo: 'none', rome: 'none' });
  });

  test('are reported again if the report is deleted', async () => {
    await fleet.hub.delete(configMaps, runningMembersKey);
    await write({ oslo: 'slow 1s' });
    assert.deepEqual(await reported(), { oslo: 'slow 1s', rome: 'none' });
    await write({ oslo: null });
  });
});

test('a fleet starts with the faults that it had when it stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-faults-'));
  const first = await startFleet({ members: ['oslo', 'rome'], dataDirectory: folder });
  const hub = await first.hub.client();
  await changeFaults(hub, 'oslo', () => ({ ...noFaults, isStopped: true }));
  await changeFaults(hub, 'rome', () => ({ ...noFaults, isPartitioned: true }));
  await first.stop();

  const second = await startFleet({ dataDirectory: folder });
  const oslo = second.members.get('oslo')!;
  await assert.rejects(oslo.client().list(configMaps), { code: 503 });
  const again = await second.hub.client();
  assert.deepEqual(Object.fromEntries((await runningMembers(again))!), { oslo: 'stop', rome: 'partition' });
  const lifted = await changeFaults(again, 'oslo', () => noFaults);
  await untilInForce(again, 'oslo', lifted, AbortSignal.timeout(20_000));
  assert.ok((await oslo.client().list(configMaps)).items.length > 0);
  await second.stop();
  await rm(folder, { recursive: true });
});
