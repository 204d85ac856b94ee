/** What the output of a command goes to. */
export interface Terminal {
  /** Undefined for a file or a pipe: lines have no end there. */
  readonly columns: number | undefined;
  /** Undefined where a text cannot be replaced by another: a file, a pipe, a terminal without cursor movement. */
  readonly rows: number | undefined;
  readonly hasColours: boolean;
}

export const plainTerminal: Terminal = { columns: undefined, rows: undefined, hasColours: false };

/** Colours are for terminals only, and not where NO_COLOR is set (no-color.org). */
export function terminalOf(
  { isTTY, columns, rows }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'>,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  if (!isTTY) return plainTerminal;
  const isDumb = environment['TERM'] === 'dumb';
  // A terminal that does not know its size reports 0.
  return {
    columns: columns > 0 ? columns : 80,
    rows: isDumb ? undefined : rows > 0 ? rows : 24,
    hasColours: !environment['NO_COLOR'] && !isDumb,
  };
}

/** How a text is meant: all is well, it has to wait, it is wrong, or it only frames the others. */
export type Tone = 'good' | 'waiting' | 'bad' | 'faint';

const codes: Readonly<Record<Tone, string>> = { good: '32', waiting: '33', bad: '31', faint: '2' };

export function painted({ hasColours }: Terminal, text: string, tone: Tone | undefined): string {
  return hasColours && tone !== undefined && text !== '' ? `\u001B[${codes[tone]}m${text}\u001B[0m` : text;
}

/** Messages come from other programs: no control character reaches the terminal. */
export function printable(text: string): string {
  if (/^[\x20-\x7E]*$/.test(text)) return text.trimEnd();
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trimEnd();
}
