import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tableLines, type Column } from './table.ts';
import { terminalOf } from './terminal.ts';

interface Row {
  readonly name: string;
  readonly message: string | readonly string[];
}

const columns: readonly Column<Row>[] = [
  ['EMPTY', () => ''],
  ['NAME', ({ name }) => name, () => 'good'],
  ['MESSAGE', ({ message }) => message],
];

describe('a table', () => {
  test('has no empty column and passes no control character on', () => {
    const rows = [
      { name: 'a', message: 'red \u001B[31mtext\nand\u202E more' },
      { name: 'longer', message: '' },
    ];
    const lines = ['NAME     MESSAGE', 'a        red  [31mtext and  more', 'longer   -'];
    assert.deepEqual(tableLines(rows, columns), lines);
  });

  test('wraps its last column on a terminal, and only there', () => {
    const rows = [{ name: 'a', message: ['one two three four five six', '→ seven'] }];
    assert.deepEqual(tableLines(rows, columns), ['NAME   MESSAGE', 'a      one two three four five six → seven']);
    assert.deepEqual(tableLines(rows, columns, { columns: 31, hasColours: true }), [
      'NAME   MESSAGE',
      '\u001B[32ma\u001B[0m      one two three four five',
      '       six',
      '       → seven',
    ]);
  });
});

test('colours and widths are those of a terminal, without NO_COLOR', () => {
  const tty = { isTTY: true as const, columns: 100 };
  assert.deepEqual(terminalOf(tty, {}), { columns: 100, hasColours: true });
  assert.deepEqual(terminalOf(tty, { NO_COLOR: '1' }), { columns: 100, hasColours: false });
  assert.deepEqual(terminalOf({ isTTY: false, columns: 100 }, {}), { columns: undefined, hasColours: false });
});
