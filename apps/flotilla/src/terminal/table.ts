import { painted, plainTerminal, printable, type Terminal, type Tone } from './terminal.ts';

/** One column of a table: its title, its text in a row, and how that is meant. Text may be empty, and have several paragraphs. */
export type Column<T> = readonly [
  title: string,
  text: (row: T) => string | readonly string[],
  tone?: (row: T) => Tone | undefined,
];

export const gap = 3;
/** A text in a column that is narrower is harder to read than one below its row. */
const minWrapped = 24;

/**
 * As kubectl prints tables: three spaces between columns, no space at the end of a line. Columns without any text are left out. On
 * a terminal the last column is wrapped. Where it is too narrow, its text stands below the row, at the right edge.
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
    const parts = shown.map(({ texts, tone }) => ({ text: texts[index] || '-', tone: tone?.(row) }));
    if ((last?.texts[index] ?? '').length <= room) {
      lines.push(line(parts));
      continue;
    }
    const { first, below } = splitText(last?.cells[index] ?? [], offset, terminal.columns ?? Infinity);
    const tone = last?.tone?.(row);
    lines.push(line([...parts.slice(0, -1), { text: first, tone }]));
    lines.push(...below.map(({ indent, text }) => ' '.repeat(indent) + painted(terminal, text, tone)));
  }
  return lines;
}

interface SplitText {
  /** What stands in the line of the row. */
  readonly first: string;
  readonly below: readonly { readonly indent: number; readonly text: string }[];
}

/** A text that is too long for the room behind `offset`. */
function splitText(paragraphs: readonly string[], offset: number, width: number): SplitText {
  const room = width - offset;
  if (room >= minWrapped) {
    const [first = '', ...rest] = paragraphs.flatMap((text) => wrapped(text, room));
    return { first, below: rest.map((text) => ({ indent: offset, text })) };
  }
  const texts = paragraphs.flatMap((text) => wrapped(text, Math.max(minWrapped, Math.floor(width / 2))));
  const indent = Math.max(0, width - Math.max(...texts.map(({ length }) => length)));
  return { first: '', below: texts.map((text) => ({ indent, text })) };
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
