import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { amountsIn } from './amounts.ts';
import { costsOf, type PricedNodes } from './costs.ts';
import { parsePriceTable } from './price-table.ts';

const now = new Date('2026-01-02T00:00:00Z');
const yesterday = new Date('2026-01-01T12:00:00Z');

describe('costs', () => {
  test('are the price of all nodes, by core and by gigabyte', () => {
    assert.deepEqual(costs({ D2: 2, D4: 1 }, { cpu: '8', memory: '32Gi' }), {
      perCpuCore: 0.05,
      perGbMemory: 0.0125,
      warnings: [],
    });
  });

  test('are nothing where there are no nodes', () => {
    assert.deepEqual(costs({}, {}), { perCpuCore: 0, perGbMemory: 0, warnings: [] });
  });

  test('are not told where the price of some nodes is not known', () => {
    const capacity = { cpu: '8', memory: '32Gi' };
    assert.deepEqual(costs({ X: 1, '': 1 }, capacity), {
      problem: 'nodes are present, but no pricing data is available for any node SKUs ([ X])',
    });
    assert.deepEqual(costs({ D2: 1, X: 1 }, capacity), {
      problem: 'no pricing data is available for one or more of the node SKUs ([X]) in the cluster',
    });
  });

  test('are not told where there is nothing to share them among', () => {
    assert.deepEqual(costs({ D2: 1 }, { cpu: '1m', memory: '1Gi' }), {
      problem: 'failed to calculate costs: cpu quantity is of an invalid value: 0.001',
    });
    assert.deepEqual(costs({ D2: 1 }, { cpu: '1', memory: '1' }), {
      problem: 'failed to calculate costs: memory quantity is of an invalid value: 1',
    });
  });

  test('come with a warning when prices are old', () => {
    const old = costs({ D2: 1 }, { cpu: '2', memory: '4Gi' }, new Date('2025-12-31T00:00:00Z'));
    assert.deepEqual('warnings' in old && old.warnings, [
      'the pricing data is stale (last updated at 2025-12-31T00:00:00.000Z)',
    ]);
  });
});

describe('a price table', () => {
  test('has prices for all, and others for a region', () => {
    const table = parsePriceTable({ prices: { D2: 0.1 }, regions: { west: { D2: 0.2, D8: 1 } } }, yesterday);
    assert.deepEqual(
      [table.priceOf('D2', 'west'), table.priceOf('D2', 'east'), table.priceOf('D8', undefined)],
      [0.2, 0.1, undefined],
    );
    assert.equal(table.hasRegions, true);
  });

  test('says when it was made and how long it is good, or is as old as its file', () => {
    const told = parsePriceTable({ updated: '2025-06-01T00:00:00Z', goodFor: '720h', prices: {} }, yesterday);
    assert.deepEqual([told.updatedAt.toISOString(), told.goodForMs], ['2025-06-01T00:00:00.000Z', 720 * 3_600_000]);
    const untold = parsePriceTable({}, yesterday);
    assert.deepEqual([untold.updatedAt, untold.goodForMs], [yesterday, 24 * 3_600_000]);
  });

  test('knows nothing that an object inherits', () => {
    const table = parsePriceTable({ prices: {} }, yesterday);
    assert.equal(table.priceOf('constructor', '__proto__'), undefined);
  });

  for (const [value, message] of [
    [[], 'it holds no object'],
    [{ price: {} }, 'it knows no field price'],
    [{ prices: { D2: -1 } }, 'prices.D2 is no price: a number that is not negative'],
    [{ regions: { west: { D2: 'cheap' } } }, 'regions.west.D2 is no price: a number that is not negative'],
    [{ regions: [] }, 'regions is no object'],
    [{ updated: 'today' }, 'updated is no time, such as 2026-01-31T00:00:00Z'],
    [{ goodFor: 5 }, 'goodFor is no duration, such as 24h'],
  ] as const) {
    test(`is refused when ${message}`, () => {
      assert.throws(() => parsePriceTable(structuredClone(value) as never, yesterday), {
        name: 'PriceTableError',
        message,
      });
    });
  }
});

function costs(counts: Record<string, number>, capacity: Record<string, string>, updatedAt = yesterday) {
  const nodes: PricedNodes = { countBySku: new Map(Object.entries(counts)), capacity: amountsIn(capacity) };
  return costsOf(nodes, parsePriceTable({ prices: { D2: 0.1, D4: 0.2 } }, updatedAt), { region: undefined, now });
}
