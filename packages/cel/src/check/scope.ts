import type { CelType } from '../type.ts';

/** The variables of a loop, nested in those of outer loops. */
export class Scope {
  readonly #outer: Scope | undefined;
  readonly #variables: readonly (readonly [name: string, type: CelType])[];

  constructor(outer: Scope | undefined, ...variables: (readonly [name: string, type: CelType])[]) {
    this.#outer = outer;
    this.#variables = variables;
  }

  find(name: string): CelType | undefined {
    for (const [declared, type] of this.#variables) {
      if (declared === name) return type;
    }
    return this.#outer?.find(name);
  }
}

/** The possible meanings of a name, from the innermost container outwards. */
export function candidateNames(container: string, name: string): readonly string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  if (container === '') return [name];
  const names: string[] = [];
  for (let end = container.length; end > 0; end = container.lastIndexOf('.', end - 1)) {
    names.push(`${container.slice(0, end)}.${name}`);
  }
  return [...names, name];
}
