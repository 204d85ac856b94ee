import type { Compiled } from './compiled.ts';

/** The variables of the loops around an expression; inner ones hide outer ones. */
export class Scope {
  static readonly outermost: Scope = new Scope(undefined, '', undefined);

  readonly #outer: Scope | undefined;
  readonly #name: string;
  readonly #variable: Compiled | undefined;

  private constructor(outer: Scope | undefined, name: string, variable: Compiled | undefined) {
    this.#outer = outer;
    this.#name = name;
    this.#variable = variable;
  }

  with(name: string, variable: Compiled): Scope {
    return new Scope(this, name, variable);
  }

  /** Undefined: it is no loop's variable. */
  find(name: string): Compiled | undefined {
    if (this.#name === name && this.#variable !== undefined) return this.#variable;
    return this.#outer?.find(name);
  }
}
