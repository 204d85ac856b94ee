import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { amountsIn } from './amounts.ts';
import { costsOf, type PricedNodes } from './costs.ts';
import { parsePriceTable } from './price-table.ts';

const now = new Date('2026-01-02T00:00:00Z');
const yesterday = new Date('2026-01-01T12:00:00Z');

describe('costs', () => {
  test('are the price of all nodes divided by cores and by gigabytes', () => {
    assert.deepEqual(costs({ D2: 2, D4: 1 }, { cpu: '8', memory: '32Gi' }), {
      perCpuCore: 0.05,
      perGbMemory: 0.0125,
      warnings: [],
    });
  });

  test('are zero without nodes', () => {
    assert.deepEqual(costs({}, {}), { perCpuCore: 0, perGbMemory: 0, warnings: [] });
  });

  test('are a problem if a SKU has no price', () => {
    const capacity = { cpu: '8', memory: '32Gi' };
    assert.deepEqual(costs({ X: 1, '': 1 }, capacity), {
      problem: 'nodes are present, but no pricing data is available for any node SKUs ([ X])',
    });
    assert.deepEqual(costs({ D2: 1, X: 1 }, capacity), {
      problem: 'no pricing data is available for one or more of the node SKUs ([X]) in the cluster',
    });
  });

  test('are a problem if the nodes have no cores or no memory', () => {
    assert.deepEqual(costs({ D2: 1 }, { cpu: '1m', memory: '1Gi' }), {
      problem: 'failed to calculate costs: cpu quantity is of an invalid value: 0.001',
    });
    assert.deepEqual(costs({ D2: 1 }, { cpu: '1', memory: '1' }), {
      problem: 'failed to calculate costs: memory quantity is of an invalid value: 1',
    });
  });

  test('have a warning if the prices are stale', () => {
    const old = costs({ D2: 1 }, { cpu: '2', memory: '4Gi' }, new Date('2025-12-31T00:00:00Z'));
    assert.deepEqual('warnings' in old && old.warnings, [
      'the pricing data is stale (last updated at 2025-12-31T00:00:00.000Z)',
    ]);
  });
});

describe('a price table', () => {
  test('has default prices, and prices of a region', () => {
    const table = parsePriceTable({ prices: { D2: 0.1 }, regions: { west: { D2: 0.2, D8: 1 } } }, yesterday);
    assert.deepEqual(
      [table.priceOf('D2', 'west'), table.priceOf('D2', 'east'), table.priceOf('D8', undefined)],
      [0.2, 0.1, undefined],
    );
    assert.equal(table.hasRegions, true);
  });

  test('has its time and validity, or the time of its file and a day', () => {
    const explicit = parsePriceTable({ updated: '2025-06-01T00:00:00Z', goodFor: '720h', prices: {} }, yesterday);
    assert.deepEqual(
      [explicit.updatedAt.toISOString(), explicit.goodForMs],
      ['2025-06-01T00:00:00.000Z', 720 * 3_600_000],
    );
    const defaults = parsePriceTable({}, yesterday);
    assert.deepEqual([defaults.updatedAt, defaults.goodForMs], [yesterday, 24 * 3_600_000]);
  });

  test('ignores inherited properties', () => {
    const table = parsePriceTable({ prices: {} }, yesterday);
    assert.equal(table.priceOf('constructor', '__proto__'), undefined);
  });

  for (const [value, message] of [
    [[], 'the file is not an object'],
    [{ price: {} }, 'unknown field price'],
    [{ prices: { D2: -1 } }, 'prices.D2 is not a price: it must be a number that is not negative'],
    [
      { regions: { west: { D2: 'cheap' } } },
      'regions.west.D2 is not a price: it must be a number that is not negative',
    ],
    [{ regions: [] }, 'regions is not an object'],
    [{ updated: 'today' }, 'updated is not a time such as 2026-01-31T00:00:00Z'],
    [{ goodFor: 5 }, 'goodFor is not a duration such as 24h'],
  ] as const) {
    test(`is refused: ${message}`, () => {
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
