import type { CustomResourceDefinition, DefinitionNames } from '@flotilla/schema';

/**
 * The accepted names of all definitions of a group. Finding the conflicts of a definition costs by its own names, not by
 * the number of definitions.
 */
export class NameClaims {
  /** Accepted names by definition. */
  readonly #accepted = new Map<string, DefinitionNames>();
  /** Definitions by accepted name. */
  readonly #owners = new Map<string, Set<string>>();

  set(definition: string, names: DefinitionNames | undefined): void {
    const before = this.#accepted.get(definition);
    if (before) for (const key of keysOf(before)) this.#remove(key, definition);
    if (!names) {
      this.#accepted.delete(definition);
      return;
    }
    this.#accepted.set(definition, names);
    for (const key of keysOf(names)) this.#add(key, definition);
  }

  /** Definitions whose accepted names include one that this definition requests, as far as `acceptNames` reads them. */
  conflicting({ metadata, spec }: CustomResourceDefinition): CustomResourceDefinition[] {
    const names = new Set<string>();
    for (const key of keysOf(spec.names)) for (const owner of this.#owners.get(key) ?? []) names.add(owner);
    names.delete(metadata.name ?? '');
    return [...names].map(
      (name) => ({ status: { acceptedNames: this.#accepted.get(name) } }) as CustomResourceDefinition,
    );
  }

  get isEmpty(): boolean {
    return this.#accepted.size === 0;
  }

  #add(key: string, definition: string): void {
    const owners = this.#owners.get(key);
    if (owners) owners.add(definition);
    else this.#owners.set(key, new Set([definition]));
  }

  #remove(key: string, definition: string): void {
    const owners = this.#owners.get(key);
    owners?.delete(definition);
    if (owners?.size === 0) this.#owners.delete(key);
  }
}

/** Prefixes keep resource names and kinds apart, because they may be equal. */
function keysOf({ plural, singular = '', shortNames = [], kind, listKind = '' }: DefinitionNames): string[] {
  const resources = [plural, singular, ...shortNames].map((name) => `r/${name}`);
  return [...resources, `k/${kind}`, `k/${listKind}`];
}
