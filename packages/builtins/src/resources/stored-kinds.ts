import { qualified, type Kind } from '@flotilla/kube';
import { servedResources } from './served-resource.ts';

/** A built-in kind in its preferred version, and the collection of its objects. */
export interface StoredKind {
  readonly kind: Kind;
  readonly collection: string;
}

/** Every built-in kind that has objects, in its preferred version. Events have two groups and one collection. */
export const storedKinds: readonly StoredKind[] = servedResources.flatMap(
  ({ group, version, kind, plural, namespaced, storage }, index) => {
    const isPreferred =
      servedResources.findIndex((other) => other.plural === plural && other.group === group) === index;
    if (storage === undefined || !isPreferred) return [];
    return [{ kind: { group, version, kind, plural, namespaced }, collection: storage.collection }];
  },
);

const names: ReadonlySet<string> = new Set(storedKinds.map(({ kind: { plural, group } }) => qualified(plural, group)));

/** Whether the kind is built in and has objects, in any version. */
export function isStoredBuiltin({ plural, group }: Pick<Kind, 'plural' | 'group'>): boolean {
  return names.has(qualified(plural, group));
}
