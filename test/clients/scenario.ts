/**
 * A scenario is a text file like a terminal session: comments, commands after `$ `, and at the end the files that the commands
 * use, each under a line `-- name --`. Before the commands, `namespace: NAME` sets the default namespace, and
 * `generated: PREFIX...` lists names that the server completes. `controllers: yes` means that controllers run beside the server,
 * `receiver: yes` that the server can call our receiver of webhooks; its files may then name the server itself as SELF_URL and SELF_CA.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Scenario {
  readonly name: string;
  /** The whole text: values that it mentions are compared exactly. */
  readonly source: string;
  readonly commands: readonly string[];
  readonly files: readonly ScenarioFile[];
  /** The default namespace of commands. */
  readonly namespace: string;
  /** Name prefixes to which the server appends random letters. */
  readonly generatedNames: readonly string[];
  /** Whether the recorded server had kube-controller-manager's housekeeping controllers beside it. */
  readonly hasControllers: boolean;
  /** Whether its files use the receiver of webhooks. */
  readonly hasReceiver: boolean;
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
    const [, setting, value] = /^(namespace|generated|controllers|receiver): (.+)$/.exec(line) ?? [];
    if (line.startsWith('$ ')) commands.push(line.slice(2));
    else if (setting !== undefined && value !== undefined) settings.set(setting, value);
    else if (line !== '' && !line.startsWith('#')) throw new Error(`scenario ${name}: cannot parse the line: ${line}`);
  }
  const namespace = settings.get('namespace') ?? 'default';
  const generatedNames = settings.get('generated')?.split(' ') ?? [];
  const hasControllers = settings.get('controllers') === 'yes';
  const hasReceiver = settings.get('receiver') === 'yes';
  const files = pairs(fileParts);
  return { name, source, commands, files, namespace, generatedNames, hasControllers, hasReceiver };
}

function pairs(parts: readonly string[]): ScenarioFile[] {
  const files: ScenarioFile[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    files.push({ path: parts[index] ?? '', content: parts[index + 1] ?? '' });
  }
  return files;
}
