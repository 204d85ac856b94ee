/** Pseudo-random choices from a seed: the source of every fuzzed input. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0 || 1;
  }

  /** In [0, below). */
  below(below: number): number {
    // xorshift32
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % below;
  }

  /** True with the probability 1 / `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  of<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('the list of choices is empty');
    return choice;
  }

  list<T>(longest: number, make: () => T): T[] {
    return Array.from({ length: this.below(longest + 1) }, make);
  }
}

/** Characters and texts that often break parsers. */
const nasty = [
  '',
  ' ',
  '\0',
  '\n',
  '\t',
  '"',
  '\\',
  '\u2028',
  '\ufeff',
  '\ud800',
  '\u{1f600}',
  'é',
  '__proto__',
  'constructor',
  'toString',
  '-',
  '-1',
  '0',
  '1e309',
  '9223372036854775808',
  '0x10',
  'NaN',
  'null',
  '..',
  '/',
  '%',
  '%00',
  '~1',
  '$patch',
  'a'.repeat(254),
];

/** Text of a language's own tokens, then damaged: mostly almost valid, sometimes far from it. */
export function textOf(chance: Chance, words: readonly string[]): string {
  if (chance.oneIn(40)) return chance.of(words).repeat(chance.below(8000));
  const word = (): string => (chance.oneIn(6) ? chance.of(nasty) : chance.of(words));
  const text = chance.list(chance.oneIn(10) ? 200 : 12, word).join('');
  return chance.oneIn(3) ? mutated(chance, text) : text;
}

/** Some characters removed, repeated or replaced. */
export function mutated(chance: Chance, text: string): string {
  let result = text;
  for (let edits = 1 + chance.below(3); edits > 0 && result.length > 0; edits--) {
    const at = chance.below(result.length);
    const end = at + chance.below(4);
    const put = chance.of([
      '',
      result.slice(at, end).repeat(2),
      chance.of(nasty),
      String.fromCharCode(chance.below(256)),
    ]);
    result = result.slice(0, at) + put + result.slice(end);
  }
  return result;
}

export function mutatedBytes(chance: Chance, bytes: Uint8Array): Uint8Array {
  const result = Buffer.from(bytes);
  if (result.length === 0) return result;
  for (let edits = 1 + chance.below(4); edits > 0; edits--) result[chance.below(result.length)] = chance.below(256);
  return chance.oneIn(3) ? result.subarray(0, chance.below(result.length)) : result;
}

export function nastyText(chance: Chance): string {
  return chance.of(nasty);
}
