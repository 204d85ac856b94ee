import type { Command } from 'commander';

/** Flags with a value that kubectl takes before the command, too: `-n web get pods`. */
const leadingFlags: readonly string[] = ['--kubeconfig', '--context', '-n', '--namespace'];

/** Moves flags of the command behind its name. Where no command follows them, the words stay as they are. */
export function withFlagsAfterCommand(program: Command, words: readonly string[]): readonly string[] {
  const start = commandIndex(words);
  if (start === 0) return words;
  let command: Command | undefined = program;
  let end = start;
  while ((command = subcommand(command, words[end])) !== undefined) end++;
  return end === start ? words : [...words.slice(start, end), ...words.slice(0, start), ...words.slice(end)];
}

/** How many words leading flags take. */
function commandIndex(words: readonly string[]): number {
  let index = 0;
  for (;;) {
    const [name = '', value] = (words[index] ?? '').split('=', 2);
    if (!leadingFlags.includes(name)) return index;
    index += value === undefined ? 2 : 1;
  }
}

function subcommand(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((one) => one.name() === name);
}

/** Every error about the words of a command ends with where its help is. */
export function addHelpHints(command: Command, path: string): void {
  const what = command.commands.length > 0 ? 'the list of commands' : 'its flags and examples';
  command.showHelpAfterError(`Run "${path} --help" for ${what}.`);
  for (const one of command.commands) addHelpHints(one, `${path} ${one.name()}`);
}
