import type { Terminal } from './terminal.ts';

const toTop = '\u001B[H';
const eraseLine = '\u001B[K';
const eraseBelow = '\u001B[J';
/** Lines at the top that stay if the text is too long. */
const headLines = 4;

/**
 * A text that takes the place of all that the terminal shows. What the user can scroll back to stays. If the text has too many lines,
 * those in the middle are left out: a longer one would scroll a copy out of sight each time.
 */
export function screenOf(text: string, { rows }: Terminal, isFirst: boolean): string {
  if (rows === undefined) return text;
  const lines = text.split('\n');
  // The cursor needs the last row.
  const surplus = lines.length - (rows - 1);
  const shown =
    surplus <= 0
      ? lines
      : [...lines.slice(0, headLines), '…', ...lines.slice(headLines + surplus + 1)].slice(0, rows - 1);
  // Moves what was there before to where the user can scroll back to.
  const room = isFirst ? '\n'.repeat(rows) : '';
  return room + toTop + shown.map((line) => line + eraseLine).join('\n') + eraseBelow;
}
