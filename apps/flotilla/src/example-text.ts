/** The end of a command's help. */
export function exampleText(...lines: readonly string[]): string {
  const title = lines.length === 1 ? 'Example' : 'Examples';
  return `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
