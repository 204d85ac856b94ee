/** Pages that show commands and what they print. */

export interface ShownCommand {
  readonly command: string;
  readonly lines: readonly string[];
}

/** The commands of a program in the blocks of a page, and what stands below each. */
export function shownCommands(page: string, program: string): ShownCommand[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) => commandsIn(block, program));
}

export function commandsIn(block: string, program: string): ShownCommand[] {
  return block
    .split(new RegExp(`^\\$ ${program} `, 'm'))
    .slice(1)
    .map((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n');
      return { command, lines };
    });
}

/** Ages depend on how long the hub takes. */
export function withoutAges(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\b\d+[ms](?:\d+s)?\b/, 'AGE').replaceAll(/ {2,}/g, '  '));
}
