import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from './scenario.ts';
import { commandOf, formatRecording, parseRecording, type Recording } from './transcript.ts';

const folder = join(import.meta.dirname, 'recorded');

export function recordingPath(scenario: Scenario): string {
  return join(folder, `${scenario.name}.txt`);
}

export function saveRecording(scenario: Scenario, recording: Recording): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(recordingPath(scenario), formatRecording(recording));
}

/** The recorded block of each of the scenario's commands. */
export function loadRecording(scenario: Scenario): readonly string[] {
  const path = recordingPath(scenario);
  if (!existsSync(path)) throw new Error(`scenario ${scenario.name} has no recording; see test/clients/README.md`);
  const { blocks } = parseRecording(readFileSync(path, 'utf8'));
  const isCurrent =
    blocks.length === scenario.commands.length &&
    blocks.every((block, index) => commandOf(block) === scenario.commands[index]);
  if (!isCurrent)
    throw new Error(`the commands of scenario ${scenario.name} differ from its recording; record it again`);
  return blocks;
}
