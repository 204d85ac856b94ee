import { painted, plainTerminal, printable, type Terminal, type Tone } from './terminal.ts';

/** One column of a table: its title, its text in a row, and how that is meant. Text may be empty, and have several paragraphs. */
export type Column<T> = readonly [
  title: string,
  text: (row: T) => string | readonly string[],
  tone?: (row: T) => Tone | undefined,
];

export const gap = 3;
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
    .map(([title, text, tone]) => {
      const cells = rows.map((row) => paragraphsOf(text(row)));
      return { title, tone, cells, texts: cells.map(joined) };
    })
    .filter(({ texts }) => texts.some((text) => text !== ''));
  const widths = shown.map(({ title, texts }) => Math.max(title.length, ...texts.map(({ length }) => length)));
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
  const last = shown.at(-1);
  const lines = [line(shown.map(({ title }) => ({ text: title })))];
  for (const [index, row] of rows.entries()) {
    const lastText = last?.texts[index] ?? '';
    const isWrapped = room >= minWrapped && lastText.length > room;
    const [first = '', ...rest] = isWrapped
      ? (last?.cells[index] ?? []).flatMap((text) => wrapped(text, room))
      : [lastText];
    const parts = shown.map(({ texts, tone }) => ({ text: texts[index] || '-', tone: tone?.(row) }));
    lines.push(line(isWrapped ? [...parts.slice(0, -1), { text: first, tone: last?.tone?.(row) }] : parts));
    lines.push(...rest.map((text) => ' '.repeat(offset) + painted(terminal, text, last?.tone?.(row))));
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
