import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { screenOf } from './screen.ts';
import { tableLines, type Column } from './table.ts';
import { plainTerminal, terminalOf } from './terminal.ts';

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
    assert.deepEqual(tableLines(rows, columns, { ...plainTerminal, columns: 31, hasColours: true }), [
      'NAME   MESSAGE',
      '\u001B[32ma\u001B[0m      one two three four five',
      '       six',
      '       → seven',
    ]);
  });

  test('has its last column at the right edge below the row where a narrow one would break names', () => {
    const rows = [
      { name: 'a', message: 'b' },
      { name: 'first', message: 'approval first-after-canary' },
    ];
    assert.deepEqual(tableLines(rows, columns, { ...plainTerminal, columns: 30 }), [
      'NAME    MESSAGE',
      'a       b',
      'first',
      '            approval',
      '            first-after-canary',
    ]);
  });
});

test('colours and sizes are those of a terminal, without NO_COLOR and as far as it has them', () => {
  const tty = { isTTY: true as const, columns: 100, rows: 30 };
  const size = { columns: 100, rows: 30 };
  assert.deepEqual(terminalOf(tty, {}), { ...size, hasColours: true });
  assert.deepEqual(terminalOf(tty, { NO_COLOR: '1' }), { ...size, hasColours: false });
  assert.deepEqual(terminalOf(tty, { TERM: 'dumb' }), { columns: 100, rows: undefined, hasColours: false });
  assert.deepEqual(terminalOf({ ...tty, columns: 0, rows: 0 }, {}), { columns: 80, rows: 24, hasColours: true });
  assert.deepEqual(terminalOf({ ...tty, isTTY: false }, {}), plainTerminal);
});

describe('a text that is printed again and again', () => {
  const text = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join('\n');
  test('takes the place of the last one, and leaves what was there before', () => {
    const screen = '\u001B[Ha\u001B[K\nb\u001B[K\u001B[J';
    assert.equal(screenOf('a\nb', { columns: 80, rows: 3, hasColours: false }, false), screen);
    assert.equal(screenOf('a\nb', { columns: 80, rows: 3, hasColours: false }, true), `\n\n\n${screen}`);
  });
  test('leaves out its middle if it does not fit', () => {
    const shown = screenOf(text, { columns: 80, rows: 8, hasColours: false }, false);
    assert.equal(
      shown.replaceAll('\u001B[', '').replaceAll(/[HJK]/g, ''),
      ['a', 'b', 'c', 'd', '…', 'g', 'h'].join('\n'),
    );
    for (const rows of [2, 3, 9, 10]) {
      const lines = screenOf(text, { columns: 80, rows, hasColours: false }, false).split('\n');
      assert.equal(lines.length, Math.min(rows - 1, 8));
    }
  });
  test('is printed below the last one in a file', () => assert.equal(screenOf(text, plainTerminal, true), text));
});
