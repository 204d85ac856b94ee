/** `my-kind` and `spec.host`: `MyKind`, `SpecHost`. What no identifier may hold is left out. */
export function pascalCase(text: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[0-9]/.test(name) || name === '' ? `_${name}` : name;
}

/** Gives out names, each once. */
export class TypeNames {
  readonly #taken = new Set<string>();

  constructor(reserved: Iterable<string>) {
    for (const name of reserved) this.#taken.add(name);
  }

  /** The first of the wishes that is free, or the last with a number behind it. */
  take(...wishes: readonly string[]): string {
    const last = wishes.at(-1) ?? '';
    let name = wishes.find((wish) => !this.#taken.has(wish));
    for (let number = 2; name === undefined; number++) {
      if (!this.#taken.has(`${last}${number}`)) name = `${last}${number}`;
    }
    this.#taken.add(name);
    return name;
  }
}
