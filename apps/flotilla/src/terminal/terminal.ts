/** What the output of a command goes to. */
export interface Terminal {
  /** Undefined for a file or a pipe: lines have no end there. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
}

export const plainTerminal: Terminal = { columns: undefined, hasColours: false };

/** Colours are for terminals only, and not where NO_COLOR is set (no-color.org). */
export function terminalOf(
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  if (!isTTY) return plainTerminal;
  const hasColours = !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  // A terminal that does not know its size reports 0.
  return { columns: columns > 0 ? columns : 80, hasColours };
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
