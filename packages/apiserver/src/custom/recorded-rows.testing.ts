/** The rows of kube-apiserver's answers that our server must match: `recorded/README.md`. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { ShortDefinition } from './recorded-definition.testing.ts';

export interface Topic {
  readonly about: string;
  /** The origin of the answers. */
  readonly origin?: string;
  /** Served while the rows are played. */
  readonly definitions?: readonly ShortDefinition[];
  readonly rows: readonly Row[];
}

export interface Row {
  /** One of the ids in `rules.json`. */
  readonly rule: string;
  readonly says: string;
  /** For a rule that is a limit: the row just under it, or the row just over it. */
  readonly side?: 'under' | 'over';
  /** Preparation; each step must succeed. */
  readonly given?: readonly Step[];
  readonly steps: readonly Step[];
  readonly answers?: readonly RecordedAnswer[];
}

export interface Step {
  /** `POST /apis/example.com/v1/ships` */
  readonly send: string;
  readonly body?: JsonValue;
  /** The exact body, where encoding JSON again would change it. */
  readonly text?: string;
  readonly definition?: ShortDefinition;
  readonly type?: string;
  readonly accept?: string;
  /** For a definition that is neither served completely nor deleted. */
  readonly isUnsettled?: true;
  /** Paths of the answer to compare, if not all of it. */
  readonly shows?: readonly string[];
}

export interface RecordedAnswer {
  readonly code: number;
  readonly warnings?: readonly string[];
  /** For an accepted request. */
  readonly object?: JsonValue;
  /** For a refused request. */
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly JsonObject[];
  /** Causes or warnings follow the order of a Go map; the message then has no fixed text. */
  readonly inAnyOrder?: true;
}

export interface Rule {
  readonly id: string;
  readonly says: string;
  /** Limits need a row on either side. */
  readonly isLimit?: true;
}

export const recordedFolder = new URL('recorded/', import.meta.url);

export function topicNames(): string[] {
  return globSync('*.json', { cwd: recordedFolder })
    .filter((file) => file !== 'rules.json')
    .map((file) => basename(file, '.json'))
    .sort();
}

export function loadTopic(name: string): Topic {
  return JSON.parse(readFileSync(new URL(`${name}.json`, recordedFolder), 'utf8')) as Topic;
}

export function loadRules(): Rule[] {
  return JSON.parse(readFileSync(new URL('rules.json', recordedFolder), 'utf8')) as Rule[];
}

/** One line for each row, for readable diffs. */
export function formatTopic({ about, origin, definitions = [], rows }: Topic): string {
  const members = [
    `"about": ${JSON.stringify(about)}`,
    ...(origin === undefined ? [] : [`"origin": ${JSON.stringify(origin)}`]),
    ...(definitions.length === 0 ? [] : [`"definitions": ${linesOf(definitions)}`]),
    `"rows": ${linesOf(rows)}`,
  ];
  return `{\n${members.join(',\n')}\n}\n`;
}

function linesOf(values: readonly unknown[]): string {
  return `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`;
}
