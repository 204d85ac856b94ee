/**
 * A scenario is a list of steps. A file of `scenarios/` has several, with the objects that they create:
 *
 *     objects:
 *       web: { apiVersion: apps/v1, kind: Deployment, ... }
 *     scenarios:
 *       deployment-scale:
 *         - create web
 *         - pods web- ready
 *         - patch deployments/web: { spec: { replicas: 3 } }
 *
 * A step is a command, with a body after a colon where it needs one. README.md lists the commands.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml, type JsonObject, type JsonValue } from '@flotilla/kube';

export interface Step {
  readonly command: string;
  readonly words: readonly string[];
  readonly body?: JsonObject;
  /** How long to wait before the snapshot: `12s`. */
  readonly pause?: string;
}

export interface Scenario {
  readonly name: string;
  /** Recorded while no other scenario runs, because it creates or needs objects without a namespace. */
  readonly isAlone: boolean;
  readonly objects: ReadonlyMap<string, JsonObject>;
  readonly steps: readonly Step[];
}

const folder = join(import.meta.dirname, 'scenarios');

export function loadScenarios(): Scenario[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => parseScenarios(readFileSync(join(folder, file), 'utf8')));
}

interface ScenarioFile {
  readonly alone?: boolean;
  readonly objects?: Readonly<Record<string, JsonObject>>;
  readonly scenarios?: Readonly<Record<string, readonly JsonValue[]>>;
}

export function parseScenarios(text: string): Scenario[] {
  const { value, duplicates } = parseYaml(text);
  if (duplicates.length > 0) throw new Error(duplicates.join(', '));
  const { alone = false, objects = {}, scenarios = {} } = value as unknown as ScenarioFile;
  return Object.entries(scenarios).map(([name, steps]) => ({
    name,
    isAlone: alone,
    objects: new Map(Object.entries(objects)),
    steps: steps.map((step) => parseStep(name, step)),
  }));
}

function parseStep(scenario: string, step: JsonValue): Step {
  if (typeof step === 'string') return { command: step, ...partsOf(step) };
  const [entry, ...more] = Object.entries(step as JsonObject);
  if (entry === undefined || more.length > 0) throw new Error(`scenario ${scenario}: a step is one command`);
  const [command, body] = entry;
  return { command: `${command}: ${JSON.stringify(body)}`, ...partsOf(command), body: body as JsonObject };
}

function partsOf(command: string): Pick<Step, 'words' | 'pause'> {
  const [action = '', pause] = command.split(' then wait ');
  return { words: action.split(' '), ...(pause !== undefined && { pause }) };
}
