import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnForBody } from './body-turns.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('bodies that arrive together are read in their order, some in each turn', async () => {
  await nextTurn();
  const read: number[] = [];
  const readInThisTurn: number[] = [];
  for (let body = 0; body < 60; body++) {
    const turn = turnForBody(0);
    if (turn) void turn.then(() => read.push(body));
    else read.push(body);
  }
  for (let turns = 0; turns < 4; turns++) {
    readInThisTurn.push(read.length);
    await nextTurn();
  }
  assert.deepEqual(readInThisTurn, [20, 40, 60, 60]);
  assert.deepEqual(
    read,
    read.toSorted((a, b) => a - b),
  );
});

test('a body of any size has its turn', async () => {
  await nextTurn();
  assert.equal(turnForBody(3 * 1024 * 1024), undefined);
  const next = turnForBody(3 * 1024 * 1024);
  assert.notEqual(next, undefined);
  await next;
});

test('few at a time never wait', async () => {
  await nextTurn();
  for (let turns = 0; turns < 30; turns++) {
    assert.equal(turnForBody(4096), undefined);
    await nextTurn();
  }
});
