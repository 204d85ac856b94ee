import { families, type Binding, type OverrideFamily } from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller, type Watched } from '@flotilla/runtime';
import { decideSnapshots, type OverrideState } from './decide.ts';
import {
  byNamedOverrides,
  isNamed,
  namedIn,
  overrideOf,
  overrideSnapshotIndexes,
  revisionsOf,
} from './override-indexes.ts';

/** Keeps snapshots of the overrides of one kind. */
export function overridesController(family: OverrideFamily): Controller<OverrideState> {
  return {
    name: `${family.override.kind.toLowerCase()}-controller`,
    fieldManager: 'override-controller',
    workers: 4,
    watches: [
      { kind: family.override, concerns: itself },
      { kind: family.snapshot, concerns: itsOverride, indexes: overrideSnapshotIndexes },
      ...families.map(({ binding }) => ({
        kind: binding,
        concerns: abandonedOverrides(family),
        indexes: byNamedOverrides,
      })),
    ],
    observe: (key, cache) => observeOverride(key, cache, family),
    decide: decideSnapshots,
  };
}

function observeOverride(key: ObjectKey, cache: Cache, family: OverrideFamily): OverrideState | undefined {
  const override = cache.get(family.override, key);
  if (override === undefined) return undefined;
  const { namespace } = key;
  return {
    family,
    override,
    revisions: revisionsOf(cache, family.snapshot, key).map((snapshot) => ({
      snapshot,
      isNamed: isNamed(cache, { namespace, name: snapshot.metadata.name ?? '' }),
    })),
    isNamed: (index) => isNamed(cache, { namespace, name: `${key.name}-${index}` }),
  };
}

const itsOverride: Watched['concerns'] = (now, old) =>
  [now, old].flatMap((snapshot) => (snapshot && overrideOf(snapshot)) ?? []);

/** A binding that leaves a snapshot may have been the last to name it: then the history limit applies to it. */
function abandonedOverrides({ scope }: OverrideFamily): Watched['concerns'] {
  return (now, old) => {
    const before = old === undefined ? [] : namedIn(old as Binding);
    if (before.length === 0) return [];
    const after = new Set(now === undefined ? [] : namedIn(now as Binding));
    return before
      .filter((name) => !after.has(name) && name.includes('/') === (scope === 'Namespaced'))
      .map(overrideNamed);
  };
}

/** `app/web-3` is a snapshot of `app/web`. */
function overrideNamed(snapshot: string): ObjectKey {
  const [name = '', namespace] = snapshot.split('/').reverse();
  return { namespace, name: name.replace(/-\d+$/, '') };
}
