import { humanDuration } from '@flotilla/kube';
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

/** Shows how long it waits, until the promise is settled. */
export async function whileWaiting<T>(what: string, promise: Promise<T>): Promise<T> {
  const line = progressLine(what);
  const start = performance.now();
  const show = (): void => line.show(humanDuration(performance.now() - start));
  show();
  const timer = setInterval(show, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    line.clear();
  }
}

export function percent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}
