import {
  isJsonObject,
  JsonError,
  parseYamlWithLines,
  printYaml,
  stringifyJson,
  YamlError,
  type LocatedYaml,
} from '@flotilla/kube';
import { checkedValue, type Path, type Problem } from './check-value.ts';
import { fleet, type FleetFile } from './fleet-schema.ts';
import type { FleetShape } from './fleet-shape.ts';
import { shapeOf } from './shape-of-file.ts';
import { withoutDefaults } from './without-defaults.ts';

export interface ParseFleetFileOptions {
  /** For problems: `fleet.yaml`. */
  readonly name: string;
  /** The absolute path of a file that the fleet file names. Default: as it is. */
  readonly resolveFile?: (file: string) => string;
}

/** The file is invalid. The message has a line for each problem. */
export class FleetFileError extends Error {
  override readonly name = 'FleetFileError';
}

/** A file of 2,000 members with ten lines each is smaller. */
export const maxFleetFileBytes = 1024 * 1024;

/** The shape is stored in a ConfigMap, which holds a MiB. */
const maxStoredBytes = 900 * 1024;

const maxProblems = 50;

/** Throws a FleetFileError with all problems. */
export function parseFleetFile(text: string, options: ParseFleetFileOptions): FleetShape {
  const { name, resolveFile = (file) => file } = options;
  const document = parsed(text, name);
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const root = document.value ?? {};
  if (!isJsonObject(root))
    throw new FleetFileError(`${name}:1: a fleet file is an object with fields, for instance members`);
  const checked = checkedValue(root, fleet.json, [], { report, resolveFile });
  const shape = shapeOf(checked as unknown as FleetFile, withoutDefaults(checked, fleet.json), problems);
  const found = problems.map(({ path, message }) => ({
    line: document.lineOf(path),
    text: `${pathText(path)}${message}`,
  }));
  const lines = [...document.duplicates.map(duplicateProblem), ...found]
    .sort((one, other) => one.line - other.line)
    .map(({ line, text: problem }) => `${name}:${line}: ${problem}`);
  if (lines.length > 0) throw new FleetFileError(shortened(lines).join('\n'));
  return checkedSize(shape, name);
}

function parsed(text: string, name: string): LocatedYaml {
  if (Buffer.byteLength(text) > maxFleetFileBytes) {
    throw new FleetFileError(`${name}: the file is larger than ${maxFleetFileBytes / 1024} KiB`);
  }
  try {
    return parseYamlWithLines(text);
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof JsonError)) throw error;
    const line = error instanceof YamlError ? error.line : undefined;
    const problem = error.message.replace(/^yaml: (?:line \d+: )?|^json: /, '');
    throw new FleetFileError(`${name}:${line === undefined ? '' : `${line}:`} ${problem}`, { cause: error });
  }
}

/** From `line 6: key "a" already set in map`. */
function duplicateProblem(duplicate: string): { readonly line: number; readonly text: string } {
  const [, line = '1', key = ''] = /^line (\d+): key (.*) already set in map$/s.exec(duplicate) ?? [];
  return { line: Number(line), text: `the key ${key} is set twice; keep one` };
}

function pathText(path: Path): string {
  const text = path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^\w+$/.test(step) ? `.${step}` : `[${stringifyJson(step.slice(0, 100))}]`;
    })
    .join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxProblems) return lines;
  return [...lines.slice(0, maxProblems), `and ${lines.length - maxProblems} more problems`];
}

/** Aliases can make a small file mean much. */
function checkedSize(shape: FleetShape, name: string): FleetShape {
  if (Buffer.byteLength(printYaml(shape.file)) <= maxStoredBytes) return shape;
  throw new FleetFileError(`${name}: with its aliases resolved, the file is larger than ${maxStoredBytes / 1024} KiB`);
}
