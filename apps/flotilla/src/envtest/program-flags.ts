/** Flags as Go programs take them: `--name=value`, `--name value`, or `--name` alone for true. */
export class ProgramFlags {
  readonly #values = new Map<string, string[]>();

  constructor(args: readonly string[]) {
    for (let at = 0; at < args.length; at++) {
      const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
      if (name === undefined) continue;
      const next = args[at + 1];
      const takesNext = value === undefined && next !== undefined && !next.startsWith('-');
      if (takesNext) at++;
      this.#add(name, takesNext ? next : (value ?? 'true'));
    }
  }

  /** Every value of a flag that may be repeated. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The last value of a flag. */
  text(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** Every value of a flag that may be repeated and takes a comma-separated list. */
  list(name: string): string[] {
    return this.all(name).flatMap((value) => value.split(','));
  }

  /** An empty value counts as unset, the default of Go's string flags. */
  #add(name: string, value: string): void {
    if (value !== '') this.#values.set(name, [...this.all(name), value]);
  }
}
