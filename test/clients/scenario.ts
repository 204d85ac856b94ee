/**
 * A scenario is a text file that reads like a terminal session: comments that say what it is about, commands after `$ `, and at
 * the end the files that the commands use, each under a line `-- name --`. Lines `namespace: NAME` and `generated: PREFIX...`
 * before the commands set the default namespace and say which names the server completes.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Scenario {
  readonly name: string;
  /** The whole text: what it mentions literally is exact in the output, too. */
  readonly source: string;
  readonly commands: readonly string[];
  readonly files: readonly ScenarioFile[];
  /** The namespace that commands use when they name none. */
  readonly namespace: string;
  /** Name prefixes after which the server puts random letters. */
  readonly generatedNames: readonly string[];
}

interface ScenarioFile {
  readonly path: string;
  readonly content: string;
}

const scenarioFolder = join(import.meta.dirname, 'scenarios');

export function loadScenarios(): Scenario[] {
  return readdirSync(scenarioFolder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => parseScenario(basename(file, '.txt'), readFileSync(join(scenarioFolder, file), 'utf8')));
}

export function parseScenario(name: string, source: string): Scenario {
  const [session = '', ...fileParts] = source.split(/^-- (.+) --\n/m);
  const commands: string[] = [];
  const settings = new Map<string, string>();
  for (const line of session.split('\n')) {
    const [, setting, value] = /^(namespace|generated): (.+)$/.exec(line) ?? [];
    if (line.startsWith('$ ')) commands.push(line.slice(2));
    else if (setting !== undefined && value !== undefined) settings.set(setting, value);
    else if (line !== '' && !line.startsWith('#')) throw new Error(`scenario ${name}: cannot read the line: ${line}`);
  }
  const namespace = settings.get('namespace') ?? 'default';
  const generatedNames = settings.get('generated')?.split(' ') ?? [];
  return { name, source, commands, files: pairs(fileParts), namespace, generatedNames };
}

function pairs(parts: readonly string[]): ScenarioFile[] {
  const files: ScenarioFile[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    files.push({ path: parts[index] ?? '', content: parts[index + 1] ?? '' });
  }
  return files;
}
