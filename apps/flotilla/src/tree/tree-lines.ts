import { gap, tableLines, wrapped, type Column } from '../terminal/table.ts';
import { painted, printable, type Terminal, type Tone } from '../terminal/terminal.ts';
import type { TreeNode } from './placement-tree.ts';

interface TreeRow extends Omit<TreeNode, 'children'> {
  /** The lines that lead to it. */
  readonly branch: string;
  /** The lines that lead on to what is below it. */
  readonly below: string;
}

const columns: readonly Column<TreeRow>[] = [
  ['OBJECT', ({ branch, object }) => branch + object],
  ['STATE', ({ state }) => state, ({ state }) => toneOf(state)],
];
const withMessages: readonly Column<TreeRow>[] = [...columns, ['MESSAGE', ({ message }) => message]];

/**
 * A message stands in the line of its object, but below it where the terminal is too narrow for that. So does the state of an object
 * whose name is too long for the table.
 */
export function treeLines(root: TreeNode, terminal: Terminal): string[] {
  const rows = [...rowsOf(root, '', '')];
  const { columns: width } = terminal;
  const hasRoom = width === undefined || tableLines(rows, withMessages).every(({ length }) => length <= width);
  if (hasRoom) return tableLines(rows, withMessages, terminal);
  const room = width - gap - Math.max(...rows.map(({ state }) => state.length));
  const fits = ({ branch, object }: TreeRow): boolean => branch.length + object.length <= room;
  const [header = '', ...lines] = tableLines(rows.filter(fits), columns, terminal);
  return [
    header,
    ...rows.flatMap((row) => {
      if (fits(row)) return [lines.shift() ?? '', ...textLines(row, row.message, width, terminal)];
      const text = [row.state, row.message].filter((part) => part !== '').join(': ');
      return [row.branch + printable(row.object), ...textLines(row, text, width, terminal)];
    }),
  ];
}

function textLines({ below, state }: TreeRow, text: string, width: number, terminal: Terminal): string[] {
  const room = Math.max(width - below.length - indent.length, 24);
  const lines = wrapped(printable(text), room);
  return lines.map((line) => `${below}${indent}${painted(terminal, line, toneOf(state))}`);
}

const indent = '  ';

function* rowsOf({ children, ...node }: TreeNode, branch: string, below: string): Generator<TreeRow, void> {
  yield { ...node, branch, below: children.length > 0 ? `${below}│  ` : below };
  for (const [index, child] of children.entries()) {
    const isLast = index === children.length - 1;
    yield* rowsOf(child, `${below}${isLast ? '└─ ' : '├─ '}`, `${below}${isLast ? '   ' : '│  '}`);
  }
}

function toneOf(state: string): Tone | undefined {
  if (state === 'Available' || state === 'DiffReported') return 'good';
  if (state === 'not Applied') return 'bad';
  return state.startsWith('not ') || state === 'leaving' ? 'waiting' : undefined;
}
