/** The end of a command's help. One example shows what a command does, and another what it can do. */
export function exampleText(...lines: readonly [string, string, ...string[]]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
