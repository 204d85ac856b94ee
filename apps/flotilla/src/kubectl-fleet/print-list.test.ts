import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableLines } from './print-list.ts';

test('a table has no empty column and passes no control character on', () => {
  const rows = [
    { name: 'a', empty: '', message: 'red \u001B[31mtext\nand\u202E more' },
    { name: 'longer', empty: '', message: '' },
  ];
  const lines = tableLines(rows, [
    ['EMPTY', ({ empty }) => empty],
    ['NAME', ({ name }) => name],
    ['MESSAGE', ({ message }) => message],
  ]);
  assert.deepEqual(lines, ['NAME     MESSAGE', 'a        red  [31mtext and  more', 'longer   -']);
});
