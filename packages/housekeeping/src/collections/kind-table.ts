import { isStoredBuiltin } from '@flotilla/builtins';
import type { DiscoveredKind } from '@flotilla/client';
import { apiVersionOf, qualified, type Kind } from '@flotilla/kube';

/** The kinds of a server, by what housekeeping asks for. */
export class KindTable {
  readonly #byVersion: ReadonlyMap<string, DiscoveredKind>;
  /** The preferred version of each kind. */
  readonly #preferred: readonly DiscoveredKind[];
  /** The preferred versions of all kinds whose objects can be followed and deleted. */
  readonly followed: readonly DiscoveredKind[];
  /** Those of them that are not built in. */
  readonly followedCustom: readonly DiscoveredKind[];

  constructor(kinds: readonly DiscoveredKind[]) {
    this.#byVersion = new Map(kinds.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind]));
    const seen = new Set<string>();
    this.#preferred = kinds.filter((kind) => {
      const name = nameOf(kind);
      return seen.has(name) ? false : seen.add(name);
    });
    this.followed = this.preferred('delete', 'list', 'watch');
    this.followedCustom = this.followed.filter((kind) => !isStoredBuiltin(kind));
  }

  find(apiVersion: string, kind: string): DiscoveredKind | undefined {
    return this.#byVersion.get(`${apiVersion} ${kind}`);
  }

  /** The preferred version of each kind, if it has all of these verbs. */
  preferred(...verbs: readonly string[]): readonly DiscoveredKind[] {
    return this.#preferred.filter((kind) => verbs.every((verb) => kind.verbs.includes(verb)));
  }
}

/** Servers of this process with equal kinds share them, and so their table. */
const tables = new WeakMap<readonly DiscoveredKind[], KindTable>();

export function kindTable(kinds: readonly DiscoveredKind[]): KindTable {
  let table = tables.get(kinds);
  if (table === undefined) tables.set(kinds, (table = new KindTable(kinds)));
  return table;
}

/** The same for all versions of a kind. */
export function nameOf({ plural, group }: Kind): string {
  return qualified(plural, group);
}
