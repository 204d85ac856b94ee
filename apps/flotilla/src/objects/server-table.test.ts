import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableIn, TablePrinter } from './server-table.ts';

const style = { isWide: false, hasNamespaces: true, hasLabels: false, prefix: '' };

test('rows of a watch stand below those of the list, without control characters', () => {
  const printer = new TablePrinter(style);
  const row = (namespace: string, name: string, note: string) => ({
    cells: [name, note, 7],
    object: { metadata: { namespace } },
  });
  const listed = tableIn({
    kind: 'Table',
    columnDefinitions: [{ name: 'Name' }, { name: 'Note' }, { name: 'Node', priority: 1 }],
    rows: [row('shop', 'web', 'one\u001B[2Jline\nand more')],
  });
  assert.deepEqual(printer.lines(listed), ['NAMESPACE   NAME   NOTE', 'shop        web    one [2Jline...']);
  assert.deepEqual(printer.lines(tableIn({ kind: 'Table', rows: [row('shop', 'api', '')] })), ['shop        api']);
});

test('a server that makes no tables gets a column of names', () => {
  const list = tableIn({ kind: 'PodList', items: [{ metadata: { name: 'web', namespace: 'shop' } }] });
  assert.deepEqual(new TablePrinter(style).lines(list), ['NAMESPACE   NAME', 'shop        web']);
});
