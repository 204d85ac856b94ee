/** A word as a POSIX shell reads it. Words without special characters stay as they are. */
export function shellQuoted(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
