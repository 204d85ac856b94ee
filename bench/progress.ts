/** Says on stderr what is being measured: one line that changes on a terminal, a line each elsewhere. */
export function progress(stream: NodeJS.WriteStream = process.stderr): {
  say: (text: string) => void;
  clear: () => void;
} {
  return {
    say: (text) => void stream.write(stream.isTTY ? `\r\u001B[K${text} …` : `${text} …\n`),
    clear: () => void (stream.isTTY && stream.write('\r\u001B[K')),
  };
}
