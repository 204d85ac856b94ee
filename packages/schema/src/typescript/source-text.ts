/** A description as a comment. Users write the text: it must not end the comment. Empty without a description. */
export function comment(description: string | undefined, indent: string): string {
  const text = (description ?? '').trim().replaceAll('*/', '*\u200b/');
  if (text === '') return '';
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${text} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line && ` ${line}`}`), `${indent} */`, ''].join('\n');
}

/** A field's name in an interface, quoted if it is not an identifier. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** `MyKind` for `my-kind`, `SpecHost` for `spec.host`. Other characters are dropped. */
export function pascalCase(text: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return /^[0-9]/.test(name) || name === '' ? `_${name}` : name;
}

export class TypeNames {
  readonly #taken = new Set<string>();

  constructor(reserved: Iterable<string>) {
    for (const name of reserved) this.#taken.add(name);
  }

  /** Returns the first candidate that is free, or the last one with a number. */
  take(...candidates: readonly string[]): string {
    const last = candidates.at(-1) ?? '';
    let name = candidates.find((candidate) => !this.#taken.has(candidate));
    for (let number = 2; name === undefined; number++) {
      if (!this.#taken.has(`${last}${number}`)) name = `${last}${number}`;
    }
    this.#taken.add(name);
    return name;
  }
}
