/** A progress line on a terminal. Prints nothing if the stream is not one. */
interface ProgressLine {
  readonly show: (share: number) => void;
  readonly clear: () => void;
}

export function progressLine(what: string, stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shown = '';
  const write = (text: string): void => {
    if (!stream.isTTY || text === shown) return;
    shown = text;
    stream.write(`\r\u001B[K${text}`);
  };
  return { show: (share) => write(`${what}: ${Math.floor(share * 100)}%`), clear: () => write('') };
}
