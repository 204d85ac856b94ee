/**
 * Values for flags that the user has not typed: from the environment, then from the file of `--config`. A flag `--data-dir` of
 * `flotilla hub` is FLOTILLA_HUB_DATA_DIR in the environment and `data-dir` in the file.
 */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command, type Option } from 'commander';
import { UserError } from './user-error.ts';

/** Commander's word for where a value comes from. */
type Source = 'env' | 'config';

/** One value, or several for a flag that can be repeated. */
type Texts = readonly string[];

export async function applyConfiguration(command: Command, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const option of command.options) {
    const variable = variableOf(command, option);
    const text = environment[variable];
    if (text !== undefined && text !== '') setUnlessTyped(command, option, textsIn(option, text), variable, 'env');
  }
  const { config: file } = command.opts<{ config?: unknown }>();
  if (typeof file === 'string') await applyFile(command, file);
}

export function variableOf(command: Command, option: Option): string {
  const path: string[] = [];
  for (let current: Command | null = command; current !== null; current = current.parent) path.unshift(current.name());
  return [...path, option.name()].join('_').replaceAll('-', '_').toUpperCase();
}

function textsIn(option: Option, text: string): Texts {
  return option.variadic ? text.split(',').map((part) => part.trim()) : [text];
}

/** More is no configuration. */
const maxFileBytes = 1024 * 1024;

async function applyFile(command: Command, file: string): Promise<void> {
  for (const [key, value] of Object.entries(await readConfiguration(file))) {
    const option = command.options.find((found) => found.name() === key && key !== 'config');
    if (option === undefined) {
      const help = `flotilla ${command.name()} --help`;
      throw new UserError(
        `${file}: unknown key ${JSON.stringify(key)}; keys are names of flags, which "${help}" lists.`,
      );
    }
    setUnlessTyped(command, option, textsOf(value, `${file}: ${key}`), `${file}: ${key}`, 'config');
  }
}

async function readConfiguration(file: string): Promise<Readonly<Record<string, unknown>>> {
  const { isJsonObject, parseYaml, YamlError } = await import('@flotilla/kube');
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UserError(`cannot read --config: ${error.message}.`, { cause: error });
  });
  if (bytes.length > maxFileBytes) throw new UserError(`${file} is larger than 1 MiB; it is no configuration.`);
  try {
    const { value } = parseYaml(bytes.toString('utf8'));
    if (value === null) return {};
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new UserError(`${file}: ${error.message}.`, { cause: error });
  }
  throw new UserError(`${file} must have names of flags as keys, for instance "log-level: info".`);
}

function textsOf(value: unknown, where: string): Texts {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const texts = values.flatMap((item) =>
    typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean' ? [String(item)] : [],
  );
  if (texts.length === values.length) return texts;
  throw new UserError(`${where} must be a text, a number, true or false, or a list of these.`);
}

function setUnlessTyped(command: Command, option: Option, texts: Texts, where: string, source: Source): void {
  const name = option.attributeName();
  const present = command.getOptionValueSource(name);
  if (present === 'cli' || present === 'env') return;
  try {
    command.setOptionValueWithSource(name, valueOf(option, texts), source);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UserError(`${where}: ${JSON.stringify(texts.join(','))} is invalid. ${error.message}`, { cause: error });
  }
}

/** Reads texts as the command line does. */
function valueOf(option: Option, texts: Texts): unknown {
  if (!option.variadic && texts.length !== 1) throw new InvalidArgumentError('It must be one value.');
  if (option.isBoolean()) return switchOf(texts[0] ?? '');
  const parse = option.parseArg ?? ((text: string, previous: unknown) => collected(option, text, previous));
  return texts.reduce<unknown>((previous, text) => parse(text, previous), undefined);
}

/** Undefined: as if the flag were not there. */
function switchOf(text: string): true | undefined {
  if (text === 'true') return true;
  if (text === 'false') return undefined;
  throw new InvalidArgumentError('It must be true or false.');
}

function collected(option: Option, text: string, previous: unknown): unknown {
  if (!option.variadic) return text;
  return Array.isArray(previous) ? [...(previous as unknown[]), text] : [text];
}
