import { CelList, type CelValue, type Result } from '@flotilla/cel';
import type { JsonValue } from '@flotilla/kube';
import type { CelReader } from './cel-reader.ts';

/** A list whose items have places. */
export class JsonList extends CelList {
  readonly #json: readonly JsonValue[];
  readonly #reader: CelReader;

  constructor(json: readonly JsonValue[], reader: CelReader) {
    super();
    this.#json = json;
    this.#reader = reader;
  }

  override get size(): number {
    return this.#json.length;
  }

  override at(index: number): Result {
    return this.#reader.read(this.#json[index] ?? null);
  }
}

/** A list of values that were made already. */
export class ValueList extends CelList {
  readonly #values: readonly CelValue[];

  constructor(values: readonly CelValue[]) {
    super();
    this.#values = values;
  }

  override get size(): number {
    return this.#values.length;
  }

  override at(index: number): Result {
    return this.#values[index] ?? null;
  }
}
