import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient } from '@flotilla/client';
import { MetricsRegistry, type LeaseSpec } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { whenAborted } from '@flotilla/timing';
import { ScriptedServer } from '../scripted-server.testing.ts';
import { LeaderElection } from './leader-election.ts';

const collection = '/apis/coordination.k8s.io/v1/leases';

/** An election on one server, with its current and former leaders. */
class Fixture {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly leading = new Set<string>();
  readonly history: string[] = [];

  get lease(): LeaseSpec {
    return this.server.get(collection, 'system/hub')?.['spec'] as LeaseSpec;
  }

  candidate(identity: string, lead?: (signal: AbortSignal) => Promise<void>): Candidate {
    return new Candidate(this, identity, lead);
  }

  begin(identity: string): void {
    this.leading.add(identity);
    this.history.push(identity);
    assert.equal(this.leading.size, 1, `${[...this.leading].join(' and ')} lead at once`);
  }
}

class Candidate {
  readonly #stopping = new AbortController();
  readonly network: { isUp: boolean } = { isUp: true };
  readonly metrics = new MetricsRegistry();
  readonly election: LeaderElection;
  readonly ended: Promise<'stopped' | 'lost'>;

  constructor(fixture: Fixture, identity: string, lead = (signal: AbortSignal) => whenAborted(signal)) {
    const { server, clock } = fixture;
    const transport = {
      send: (request: Parameters<typeof server.send>[0]) =>
        this.network.isUp ? server.send(request) : silence(request.signal),
      close: () => Promise.resolve(),
    };
    const random = (): number => 0;
    const client = createClient(transport, { clock, random });
    const lease = { namespace: 'system', name: 'hub' };
    this.election = new LeaderElection({ client, clock, random, lease, identity, metrics: this.metrics });
    this.ended = this.election.run(async (signal) => {
      fixture.begin(identity);
      await lead(signal).finally(() => fixture.leading.delete(identity));
    }, this.#stopping.signal);
    this.ended.catch(() => {});
  }

  stop(): void {
    this.#stopping.abort();
  }
}

/** A network that answers nothing. */
async function silence(signal: AbortSignal | undefined): Promise<never> {
  signal?.throwIfAborted();
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
}

describe('an election', () => {
  test('has one leader among three candidates, which stays while it renews', async () => {
    const fixture = new Fixture();
    for (const identity of ['a', 'b', 'c']) fixture.candidate(identity);
    await fixture.clock.advance(60_000);
    assert.deepEqual(fixture.history, ['a']);
    assert.equal(fixture.lease.holderIdentity, 'a');
    assert.equal(fixture.lease.leaseDurationSeconds, 15);
    assert.equal(fixture.lease.leaseTransitions, 0);
    assert.equal(fixture.lease.acquireTime, '2026-01-01T00:00:00.000000Z');
    assert.equal(fixture.lease.renewTime, '2026-01-01T00:01:00.000000Z');
  });

  test('lets the next candidate lead at once when the leader stops cleanly', async () => {
    const fixture = new Fixture();
    const a = fixture.candidate('a');
    const b = fixture.candidate('b');
    await fixture.clock.advance(10_000);
    a.stop();
    assert.equal(await a.ended, 'stopped');
    assert.equal(fixture.lease.holderIdentity, '');
    await fixture.clock.advance(2000);
    assert.deepEqual(fixture.history, ['a', 'b']);
    assert.equal(fixture.lease.leaseTransitions, 1);
    assert.equal(b.election.leader, 'b');
    assert.match(b.metrics.text(), /^leader_election_master_status\{name="hub"\} 1$/m);
  });

  test('releases the lease only when the work of the leader has ended', async () => {
    const fixture = new Fixture();
    const work = Promise.withResolvers<void>();
    const a = fixture.candidate('a', () => work.promise);
    fixture.candidate('b');
    await fixture.clock.advance(1000);
    a.stop();
    await fixture.clock.advance(60_000);
    assert.deepEqual(fixture.history, ['a']);
    work.resolve();
    await fixture.clock.advance(2000);
    assert.deepEqual(fixture.history, ['a', 'b']);
  });

  test('replaces a disconnected leader after that one has stopped by itself', async () => {
    const fixture = new Fixture();
    const a = fixture.candidate('a');
    fixture.candidate('b');
    fixture.candidate('c');
    await fixture.clock.advance(5000);
    a.network.isUp = false;
    await fixture.clock.advance(10_000);
    assert.equal(await a.ended, 'lost');
    assert.deepEqual([...fixture.leading], []);
    await fixture.clock.advance(10_000);
    assert.deepEqual(fixture.history, ['a', 'b']);
  });

  test('survives a short network failure without a new leader', async () => {
    const fixture = new Fixture();
    const a = fixture.candidate('a');
    fixture.candidate('b');
    await fixture.clock.advance(5000);
    a.network.isUp = false;
    await fixture.clock.advance(6000);
    a.network.isUp = true;
    await fixture.clock.advance(60_000);
    assert.deepEqual(fixture.history, ['a']);
  });

  test('stops a leader at once when another candidate holds the lease', async () => {
    const fixture = new Fixture();
    const a = fixture.candidate('a');
    await fixture.clock.advance(5000);
    const stored = fixture.server.get(collection, 'system/hub');
    assert.ok(stored);
    fixture.server.put(collection, { ...stored, spec: { ...fixture.lease, holderIdentity: 'thief' } });
    await fixture.clock.advance(2000);
    assert.equal(await a.ended, 'lost');
    assert.equal(fixture.lease.holderIdentity, 'thief');
  });

  test('releases the lease of a leader whose work fails, and rejects with the failure', async () => {
    const fixture = new Fixture();
    const a = fixture.candidate('a', () => Promise.reject(new Error('no disk')));
    await fixture.clock.advance(1000);
    await assert.rejects(a.ended, /no disk/);
    assert.equal(fixture.lease.holderIdentity, '');
  });

  test('acquires an expired lease, whatever the clock of its holder', async () => {
    const fixture = new Fixture();
    const spec = {
      holderIdentity: 'gone',
      leaseDurationSeconds: 15,
      renewTime: '2099-01-01T00:00:00.000000Z',
      leaseTransitions: 3,
    };
    const metadata = { namespace: 'system', name: 'hub' };
    fixture.server.put(collection, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
    fixture.candidate('a');
    await fixture.clock.advance(14_000);
    assert.deepEqual(fixture.history, []);
    await fixture.clock.advance(4000);
    assert.deepEqual(fixture.history, ['a']);
    assert.equal(fixture.lease.leaseTransitions, 4);
  });

  test('refuses inconsistent durations', () => {
    const options = {
      client: createClient(new ScriptedServer()),
      clock: new ManualClock(),
      random: () => 0,
      identity: 'a',
    };
    const lease = { namespace: 'system', name: 'hub' };
    assert.throws(() => new LeaderElection({ ...options, lease, leaseDurationMs: 10_000 }), RangeError);
    assert.throws(() => new LeaderElection({ ...options, lease, retryPeriodMs: 9000 }), RangeError);
  });
});
