import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContendedTurns } from './contended-turns.ts';

describe('turns of the event loop', () => {
  /** What requests of these callers at these milliseconds are counted as, in bytes. */
  function counted(...requests: readonly (readonly [caller: string, now: number])[]): number[] {
    const bytes: number[] = [];
    const whenToBegin = (bodyBytes: number): undefined => void bytes.push(bodyBytes);
    const turns = new ContendedTurns({ whenToBegin, later: () => undefined });
    for (const [caller, now] of requests) {
      turns.requested(caller, now);
      void turns.whenToBegin(1000);
    }
    return bytes;
  }

  test('are long for one caller', () => {
    assert.deepEqual(counted(['jane', 1], ['jane', 2], ['jane', 3]), [1000, 1000, 1000]);
  });

  test('have a third of the requests while callers compete', () => {
    const shared = 3 * (1000 + 4096) - 4096;
    assert.deepEqual(counted(['jane', 1], ['bob', 2], ['jane', 3]), [1000, shared, shared]);
  });

  test('are long again when one caller is left', () => {
    assert.deepEqual(counted(['jane', 1], ['bob', 2], ['bob', 102]).at(-1), 1000);
  });
});
