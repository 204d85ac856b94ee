import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '@flotilla/testkit';
import { defaultPriorityLevels } from '../objects/default-priority-levels.ts';
import { levelSpecOf } from '../objects/flow-objects.ts';
import { allocateSeats } from './allocate-seats.ts';
import { borrowSeats, type BorrowedSeats } from './borrowed-seats.ts';
import { SeatDemand, type DemandReport } from './seat-demand.ts';
import { seatLimits } from './seat-limits.ts';

const specs = defaultPriorityLevels.map(({ object }) => levelSpecOf(object, ''));
const limits = seatLimits(specs, 600);

/** From the metrics of kube-apiserver v1.36.4 without load. */
const recorded: Readonly<Record<string, readonly [nominal: number, lower: number, upper: number, current: number]>> = {
  'catch-all': [13, 13, 613, 30],
  exempt: [0, 0, 600, 2],
  'global-default': [49, 24, 649, 56],
  'leader-election': [25, 25, 625, 58],
  'node-high': [98, 73, 698, 170],
  system: [74, 50, 674, 117],
  'workload-high': [98, 49, 698, 114],
  'workload-low': [245, 24, 845, 56],
};

const idle: DemandReport = { highest: 0, average: 0, deviation: 0, smoothed: 0 };

function borrow(demands: Readonly<Record<string, Partial<DemandReport>>>): Map<string, number> {
  const levels = specs.map((spec) => ({
    isExempt: spec.isExempt,
    limits: limits.get(spec.name)!,
    current: 0,
    demand: { ...idle, ...demands[spec.name] },
  }));
  const { seats }: BorrowedSeats = borrowSeats(levels);
  return new Map(specs.map(({ name }, index) => [name, seats[index] ?? 0]));
}

describe('the seats of the default levels', () => {
  const lent = borrow({ exempt: { highest: 2, smoothed: 7.85 } });

  for (const [name, [nominal, lower, upper, current]] of Object.entries(recorded)) {
    test(`are kube-apiserver's for ${name}`, () => {
      const own = limits.get(name);
      assert.deepEqual([own?.nominal, own?.lower, own?.upper], [nominal, lower, upper]);
      assert.equal(lent.get(name), current);
    });
  }

  test('go to a level with demand, and leave the others what they do not lend', () => {
    const seats = borrow({ 'workload-low': { highest: 500, smoothed: 500 } });
    assert.ok((seats.get('workload-low') ?? 0) > 245);
    for (const [name, { lower }] of limits) assert.ok((seats.get(name) ?? 0) >= lower, name);
  });

  test('are taken by the exempt level first', () => {
    const seats = borrow({ exempt: { highest: 590 }, 'workload-low': { highest: 300, smoothed: 300 } });
    assert.equal(seats.get('exempt'), 590);
    for (const [name, { lower, nominal }] of limits) {
      if (nominal > 0) assert.equal(seats.get(name), lower, name);
    }
  });
});

describe('an allocation', () => {
  test('has the sum, respects all bounds and is proportional between them', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 300; round++) {
      const claims = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
        const lower = Math.floor(random() * 20);
        const target = lower + Math.floor(random() * 50);
        return { lower, target, upper: lower + Math.floor(random() * 100) };
      });
      const [least, most] = [sum(claims.map(({ lower }) => lower)), sum(claims.map(({ upper }) => upper))];
      const total = Math.round(least + random() * (most - least));
      const { seats, fraction } = allocateSeats(total, claims)!;
      assert.ok(Math.abs(sum(seats) - total) < 1e-6);
      for (const [index, { lower, upper, target }] of claims.entries()) {
        const own = seats[index] ?? 0;
        assert.ok(own >= lower - 1e-9 && own <= upper + 1e-9);
        const isBetween = own > lower + 1e-9 && own < upper - 1e-9;
        if (isBetween && target > 0) assert.ok(Math.abs(own - fraction * target) < 1e-6);
      }
      assert.equal(allocateSeats(most + 1, claims), undefined);
      if (least > 0) assert.equal(allocateSeats(least - 1, claims), undefined);
    }
  });
});

describe('the demand for seats', () => {
  test('is averaged by time, and falls by half in five minutes', () => {
    const demand = new SeatDemand(0);
    demand.set(10, 0);
    demand.set(0, 5000);
    const first = demand.report(10_000);
    assert.deepEqual([first.highest, first.average, first.deviation, first.smoothed], [10, 5, 5, 10]);
    const later = demand.report(310_000);
    assert.deepEqual([later.highest, later.average], [0, 0]);
    assert.ok(Math.abs(later.smoothed - 5) < 0.1);
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
