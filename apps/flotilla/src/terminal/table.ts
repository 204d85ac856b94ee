import { painted, plainTerminal, printable, type Terminal, type Tone } from './terminal.ts';

/** One column of a table: its title, its text in a row, and how that is meant. Text may be empty, and have several paragraphs. */
export type Column<T> = readonly [
  title: string,
  text: (row: T) => string | readonly string[],
  tone?: (row: T) => Tone | undefined,
];

const gap = 3;
/** A column that is narrower is harder to read than a line that the terminal breaks. */
const minWrapped = 24;

/**
 * As kubectl prints tables: three spaces between columns, no space at the end of a line. Columns without any text are left out. On
 * a terminal the last column is wrapped.
 */
export function tableLines<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  terminal: Terminal = plainTerminal,
): string[] {
  const shown = columns
    .map(([title, text, tone]) => ({ title, tone, cells: rows.map((row) => paragraphsOf(text(row))) }))
    .filter(({ cells }) => cells.some((cell) => cell.length > 0));
  const widths = shown.map(({ title, cells }) => Math.max(title.length, ...cells.map((cell) => joined(cell).length)));
  const offset = widths.slice(0, -1).reduce((sum, width) => sum + width + gap, 0);
  const room = (terminal.columns ?? Infinity) - offset;
  const line = (parts: readonly { readonly text: string; readonly tone?: Tone | undefined }[]): string =>
    parts
      .map(({ text, tone }, column) => {
        const padding = ' '.repeat(column === parts.length - 1 ? 0 : (widths[column] ?? 0) + gap - text.length);
        return painted(terminal, text, tone) + padding;
      })
      .join('')
      .trimEnd();
  const lines = [line(shown.map(({ title }) => ({ text: title })))];
  for (const [index, row] of rows.entries()) {
    const cells = shown.map(({ cells: texts, tone }) => ({ cell: texts[index] ?? [], tone: tone?.(row) }));
    const last = cells.at(-1)?.cell ?? [];
    const [first = '', ...rest] = isWrapped(last, room) ? last.flatMap((text) => wrapped(text, room)) : [joined(last)];
    const texts = cells.map(({ cell, tone }, column) => ({
      text: (column === cells.length - 1 ? first : joined(cell)) || '-',
      tone,
    }));
    lines.push(line(texts), ...rest.map((text) => ' '.repeat(offset) + painted(terminal, text, texts.at(-1)?.tone)));
  }
  return lines;
}

function paragraphsOf(text: string | readonly string[]): string[] {
  return (typeof text === 'string' ? [text] : text).map(printable).filter((paragraph) => paragraph !== '');
}

/** Paragraphs on one line. An arrow separates by itself. */
function joined(paragraphs: readonly string[]): string {
  return paragraphs.join('; ').replaceAll('; →', ' →');
}

function isWrapped(paragraphs: readonly string[], room: number): boolean {
  return room >= minWrapped && joined(paragraphs).length > room;
}

/** Breaks a text between words. A word that is longer than a line keeps its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}
