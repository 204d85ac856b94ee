import { terminalOf } from './terminal/terminal.ts';

/** A progress line on a terminal. Prints nothing where a line cannot be replaced by the next. */
interface ProgressLine {
  readonly show: (state: string) => void;
  readonly clear: () => void;
}

export function progressLine(what: string, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shown = '';
  const { rows } = terminalOf(stream, process.env);
  const write = (text: string): void => {
    if (rows === undefined || text === shown) return;
    shown = text;
    stream.write(`\r\u001B[K${text}`);
  };
  return { show: (state) => write(`${what}: ${state}`), clear: () => write('') };
}

export function percent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}
