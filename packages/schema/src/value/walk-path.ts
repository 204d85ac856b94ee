/**
 * The path of a walk. Steps are pushed and popped; the text is only built on demand, because most objects have no
 * errors.
 */
export class WalkPath {
  readonly #steps: (string | number)[] = [];
  /** Whether each step is a key of a map, which some texts put into brackets. */
  readonly #isKey: boolean[] = [];

  enterField(name: string): void {
    this.#steps.push(name);
    this.#isKey.push(false);
  }

  enterKey(key: string): void {
    this.#steps.push(key);
    this.#isKey.push(true);
  }

  enterIndex(index: number): void {
    this.#steps.push(index);
    this.#isKey.push(false);
  }

  leave(): void {
    this.#steps.pop();
    this.#isKey.pop();
  }

  /** `spec.map[key].list[0].field`, as in field errors. */
  toString(): string {
    let text = '';
    for (const [i, step] of this.#steps.entries()) {
      text += typeof step === 'number' || this.#isKey[i] === true ? `[${step}]` : `${text === '' ? '' : '.'}${step}`;
    }
    return text;
  }

  /** `spec.map.key.list[0].field`, as in reports of unknown fields. */
  toDottedString(): string {
    let text = '';
    for (const step of this.#steps) text += typeof step === 'number' ? `[${step}]` : `${text === '' ? '' : '.'}${step}`;
    return text;
  }
}

/** Joins two paths: `spec` and `name` are `spec.name`. */
export function fieldBelow(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
