import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainTerminal } from '../terminal/terminal.ts';
import { treeLines } from './tree-lines.ts';

const leaf = { state: 'not Applied', message: 'refused by a webhook of the member', children: [] };
const tree = {
  object: 'web',
  state: '',
  message: '',
  children: [
    { object: 'binding', state: 'Available', message: '', children: [{ object: 'work', ...leaf }] },
    { object: 'other', ...leaf },
  ],
};

test('a message stands behind its object in a file and on a wide terminal, and below it on a narrow one', () => {
  assert.deepEqual(treeLines(tree, { ...plainTerminal, columns: 61 }), treeLines(tree, plainTerminal));
  assert.deepEqual(treeLines(tree, plainTerminal), [
    'OBJECT       STATE         MESSAGE',
    'web          -             -',
    '├─ binding   Available     -',
    '│  └─ work   not Applied   refused by a webhook of the member',
    '└─ other     not Applied   refused by a webhook of the member',
  ]);
  assert.deepEqual(treeLines(tree, { ...plainTerminal, columns: 32 }), [
    'OBJECT       STATE',
    'web          -',
    '├─ binding   Available',
    '│  └─ work   not Applied',
    '│       refused by a webhook of',
    '│       the member',
    '└─ other     not Applied',
    '     refused by a webhook of the',
    '     member',
  ]);
});

test('a name that is too long for the table has its state below, too', () => {
  assert.deepEqual(treeLines(tree, { ...plainTerminal, columns: 23 }), [
    'OBJECT     STATE',
    'web        -',
    '├─ binding',
    '│  │    Available',
    '│  └─ work',
    '│       not Applied: refused by',
    '│       a webhook of the member',
    '└─ other   not Applied',
    '     refused by a webhook of',
    '     the member',
  ]);
});
