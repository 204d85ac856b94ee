import { copyAsPrinted } from './json/copy-json.ts';
import { maxPerCharacter, plainJsonSize, type PlainSize } from './json/json-size.ts';
import { stringifyJson } from './json/stringify-json.ts';
import type { JsonValue } from './json/value.ts';

/** The body of a request, all of it in memory. */
export interface RequestBody {
  /** About the length of `bytes`. */
  readonly plainSize: number;
  /** At least the length of `bytes`. */
  readonly maxSize: number;
  readonly bytes: Uint8Array;
  /** `stringifyJson` prints the bytes, so that no key occurs twice and the fast parser reads them. */
  readonly isPrinted: boolean;
  /** What a parser reads from the bytes. The client uses it too: it must be neither changed nor kept. Undefined if they must be parsed. */
  readonly value: JsonValue | undefined;
  /** False if no list in the body is empty. */
  readonly mayHaveEmptyList: boolean;
}

/** A body that came as bytes. */
export class BytesBody implements RequestBody {
  readonly bytes: Uint8Array;
  readonly isPrinted: boolean;

  constructor(bytes: Uint8Array, isPrinted = false) {
    this.bytes = bytes;
    this.isPrinted = isPrinted;
  }

  get plainSize(): number {
    return this.bytes.length;
  }

  get maxSize(): number {
    return this.bytes.length;
  }

  get value(): undefined {
    return undefined;
  }

  get mayHaveEmptyList(): boolean {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength).includes('[]');
  }
}

/** A body of a client in the same process, which prints it only for those who need bytes. The client must not change the value. */
export class UnprintedBody implements RequestBody {
  readonly isPrinted = true;
  readonly #value: JsonValue;
  #measured: PlainSize | undefined;
  /** Without the members that are not printed. */
  #printed: JsonValue | undefined;
  #bytes: Uint8Array | undefined;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  get plainSize(): number {
    return this.#measure().bytes;
  }

  get maxSize(): number {
    return this.plainSize * maxPerCharacter;
  }

  get mayHaveEmptyList(): boolean {
    return this.#measure().hasEmptyList;
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= Buffer.from(stringifyJson(this.#value)));
  }

  get value(): JsonValue | undefined {
    return this.#measure().isReadAsPrinted ? this.#value : (this.#printed ??= copyAsPrinted(this.#value));
  }

  #measure(): PlainSize {
    return (this.#measured ??= plainJsonSize(this.#value));
  }
}
