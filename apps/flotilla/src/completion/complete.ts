/** What can follow a command line that the user has begun. Pure, but for the values that only a server knows. */
import type { Command, Option } from 'commander';

/** Values that a server or a kubeconfig knows. */
export type ValueSource =
  | 'kinds'
  | 'placements'
  | 'clusters'
  | 'namespaces'
  | 'contexts'
  | { readonly namesOf: string };

export type Completion =
  | { readonly words: readonly string[] }
  /** Options that were typed before count for the server, too. */
  | { readonly source: ValueSource; readonly options: Readonly<Record<string, string>> };

/** `words` begin after the name of the program; the last one is incomplete. No words: the shell offers files. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const { command, positional, options, pending } = parsed(program, words.slice(0, -1));
  const partial = words.at(-1) ?? '';
  if (pending !== undefined) return valuesOf(pending, options);
  if (partial.startsWith('-')) return { words: optionNames(program, command) };
  if (command.commands.length > 0 && positional.length === 0) {
    return { words: command.commands.map((one) => one.name()).filter((name) => !name.startsWith('_')) };
  }
  const choices = command.registeredArguments[positional.length]?.argChoices;
  if (choices !== undefined) return { words: choices };
  const source = argumentSource(command.name(), positional);
  return source === undefined ? { words: [] } : { source, options };
}

interface Parsed {
  readonly command: Command;
  readonly positional: readonly string[];
  /** By long name, without dashes. */
  readonly options: Readonly<Record<string, string>>;
  /** The option whose value is next. */
  readonly pending: Option | undefined;
}

function parsed(program: Command, words: readonly string[]): Parsed {
  let command = program;
  let pending: Option | undefined;
  const positional: string[] = [];
  const options: Record<string, string> = {};
  for (const word of words) {
    if (pending !== undefined) {
      options[pending.name()] = word;
      pending = undefined;
    } else if (word.startsWith('-')) {
      const [name = '', value] = word.split('=', 2);
      const option = command.options.find(({ long, short }) => name === long || name === short);
      if (option !== undefined && value !== undefined) options[option.name()] = value;
      else if (option?.required) pending = option;
    } else {
      const next = positional.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) positional.push(word);
      else command = next;
    }
  }
  return { command, positional, options, pending };
}

function valuesOf(option: Option, options: Readonly<Record<string, string>>): Completion {
  if (option.argChoices !== undefined) return { words: option.argChoices };
  switch (option.name()) {
    case 'context':
      return { source: 'contexts', options };
    case 'namespace':
      return { source: 'namespaces', options };
    default:
      return { words: [] };
  }
}

function optionNames(program: Command, command: Command): string[] {
  const own = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  return [...own, '--help', ...(command === program ? ['--version'] : [])];
}

function argumentSource(command: string, positional: readonly string[]): ValueSource | undefined {
  const [first] = positional;
  switch (command) {
    case 'get':
    case 'describe':
    case 'delete':
      return first === undefined ? 'kinds' : { namesOf: first };
    case 'why':
    case 'tree':
      return first === undefined ? 'placements' : positional.length === 1 ? 'clusters' : undefined;
    case 'start':
    case 'stop':
    case 'partition':
    case 'slow':
    case 'fail':
    case 'leave':
      return first === undefined ? 'clusters' : undefined;
    default:
      return undefined;
  }
}
