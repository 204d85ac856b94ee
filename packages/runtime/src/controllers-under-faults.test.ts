import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionError, type TransportRequest } from '@flotilla/client';
import { apiErrors } from '@flotilla/kube';
import * as fc from 'fast-check';
import { configMap } from '@flotilla/testkit';
import { ControllerFixture, copier } from './controllers.testing.ts';

type Fault = 'none' | 'conflict' | 'refused' | 'broken' | 'cut';

type Step =
  | { readonly do: 'put'; readonly name: string; readonly value: string }
  | { readonly do: 'break'; readonly name: string }
  | { readonly do: 'fault'; readonly faults: readonly Fault[] }
  | { readonly do: 'cut' | 'compact' | 'hold' | 'deliver' }
  | { readonly do: 'pass'; readonly ms: number };

const name = fc.constantFrom('a', 'b', 'c');
const fault = fc.constantFrom<Fault>('none', 'conflict', 'refused', 'broken', 'cut');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), name, value: fc.constantFrom('x', 'y', 'z') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('break' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fault' as const), faults: fc.array(fault, { maxLength: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'compact', 'hold', 'deliver') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 10, 500, 20_000) }) },
);

/** Each write gets the next fault. */
function failing(faults: readonly Fault[]): (request: TransportRequest) => void {
  const next = faults.values();
  return ({ method }) => {
    if (method === 'GET') return;
    switch (next.next().value) {
      case 'conflict':
        throw apiErrors.objectModified({ group: '', resource: 'secrets' }, 'a');
      case 'refused':
        throw apiErrors.badRequest('refused');
      case 'broken':
        throw apiErrors.timeout('no disk');
      case 'cut':
        throw new ConnectionError('socket hang up', 'cut');
      case 'none':
      case undefined:
    }
  };
}

async function perform(next: Step, fixture: ControllerFixture): Promise<void> {
  const { server, clock } = fixture;
  switch (next.do) {
    case 'put':
      return void fixture.put(configMap(next.name, { value: next.value }));
    case 'break':
      return void server.remove('/api/v1/secrets', `default/${next.name}`);
    case 'fault':
      server.before = failing(next.faults);
      return;
    case 'cut':
      return server.cut();
    case 'compact':
      return server.compact();
    case 'hold':
      server.isDelivering = false;
      return;
    case 'deliver':
      server.isDelivering = true;
      return server.deliver();
    case 'pass':
      return clock.advance(next.ms);
  }
}

describe('controllers under faults', () => {
  test('reach the same state as without them, and then write nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const fixture = new ControllerFixture();
        const running = fixture.run(copier);
        for (const next of steps) await perform(next, fixture);
        fixture.server.before = () => {};
        await perform({ do: 'deliver' }, fixture);
        await fixture.clock.advance(2_000_000);

        const values = (plural: string) =>
          fixture.server.list(`/api/v1/${plural}`).map(({ metadata, data }) => [metadata.name, data]);
        const copied = new Map(values('secrets') as [string, unknown][]);
        for (const [map, data] of values('configmaps') as [string, unknown][]) assert.deepEqual(copied.get(map), data);

        const writes = fixture.writes.length;
        await fixture.clock.advance(3_600_000);
        assert.equal(fixture.writes.length, writes);
        assert.equal(running.isAtRest(), true);
        assert.equal(running.health()[0]?.failing, 0);
        await running.stop();
      }),
      { numRuns: 200 },
    );
  });
});
