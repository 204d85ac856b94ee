import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, formatRecording, parseRecording, type Recording } from './transcript.ts';

/** What a recording must match: a scenario with its commands. */
interface Recorded {
  readonly name: string;
  readonly commands: readonly string[];
}

/** A folder with one recording for each scenario. */
export class Recordings {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf({ name }: Pick<Recorded, 'name'>): string {
    return join(this.#folder, `${name}.txt`);
  }

  save(scenario: Pick<Recorded, 'name'>, recording: Recording): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(this.pathOf(scenario), formatRecording(recording));
  }

  /** The recorded block of each of the scenario's commands. */
  load(scenario: Recorded): readonly string[] {
    const path = this.pathOf(scenario);
    if (!existsSync(path)) throw new Error(`scenario ${scenario.name} has no recording; see the README of its folder`);
    const { blocks } = parseRecording(readFileSync(path, 'utf8'));
    const isCurrent =
      blocks.length === scenario.commands.length &&
      blocks.every((block, index) => commandOf(block) === scenario.commands[index]);
    if (!isCurrent)
      throw new Error(`the commands of scenario ${scenario.name} differ from its recording; record it again`);
    return blocks;
  }
}

/** Of kubectl. */
export const clientRecordings = new Recordings(join(import.meta.dirname, 'recorded'));
