import { goJson, JsonFloat, jsonEquals, type JsonValue } from '@flotilla/kube';
import { floatOf } from './type-rule.ts';

export class Choices {
  readonly #values: readonly JsonValue[];
  readonly #strings: ReadonlySet<string>;
  readonly #others: readonly JsonValue[];
  #texts: readonly string[] | undefined;
  #list: string | undefined;

  constructor(values: readonly JsonValue[]) {
    this.#values = values;
    this.#strings = new Set(values.filter((value) => typeof value === 'string'));
    this.#others = values.filter((value) => typeof value !== 'string' && value !== null);
  }

  /** As errors print them. */
  get texts(): readonly string[] {
    return (this.#texts ??= this.#values.map((value) => (typeof value === 'string' ? value : goJson(value))));
  }

  /** Joined, for messages. */
  get list(): string {
    return (this.#list ??= `[${this.texts.join(' ')}]`);
  }

  /** False for null, even if the list contains it. */
  has(value: JsonValue): boolean {
    if (typeof value === 'string') return this.#strings.has(value);
    if (value === null) return false;
    if (isNumber(value)) return this.#hasNumber(value);
    return this.#others.some((choice) => jsonEquals(choice, value));
  }

  /** Go converts a number to the type of each choice: a float loses its fraction, an integer becomes a character. */
  #hasNumber(value: number | bigint | JsonFloat): boolean {
    const float = floatOf(value);
    const isWhole = isInteger(value);
    if (isWhole && this.#strings.has(letterOf(float))) return true;
    return this.#others.some((choice) => {
      if (!isNumber(choice)) return false;
      if (!isInteger(choice)) return floatOf(choice) === float;
      return isWhole ? goJson(choice) === goJson(value) : floatOf(choice) === Math.trunc(float);
    });
  }
}

function isNumber(value: JsonValue): value is number | bigint | JsonFloat {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonFloat;
}

/** By how it was written. */
function isInteger(value: number | bigint | JsonFloat): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

function letterOf(code: number): string {
  const isCodePoint = code >= 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(isCodePoint ? code : 0xfffd);
}
