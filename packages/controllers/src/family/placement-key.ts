/** How the objects of a placement lead to it: its name is in a label, its namespace is theirs. */
import { placementLabel } from '@flotilla/api';
import { keyText, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { ofLabels, type Cache, type Indexes, type Labelled, type Watched } from '@flotilla/runtime';

/** The placement of a snapshot or a binding; undefined if the label is missing. */
export function placementOf({ metadata }: Labelled): ObjectKey | undefined {
  const { namespace, labels = {} } = metadata;
  const name = Object.hasOwn(labels, placementLabel) ? labels[placementLabel] : undefined;
  return name === undefined ? undefined : { namespace, name };
}

/** For `concerns`: a change of a snapshot or a binding concerns its placement; if its label changed, also the previous one. */
export const itsPlacement: Watched['concerns'] = (now, old) => {
  const key = now && placementOf(now);
  const before = old && placementOf(old);
  if (key === undefined || before?.name === key.name) return before === undefined ? [] : [before];
  return before === undefined ? [key] : [key, before];
};

const indexName = 'placement';

/** For `indexes`: lets `ofPlacement` find the snapshots or bindings of a placement. */
export const byPlacement: Indexes = {
  [indexName]: ofLabels((object) => {
    const key = placementOf(object);
    return key === undefined ? [] : [keyText(key)];
  }),
};

/** The snapshots or bindings of a placement, in the order of their names. */
export function ofPlacement<T extends KubeObject>(
  cache: Cache,
  kind: Kind<T>,
  placement: ObjectKey,
): readonly Readonly<T>[] {
  return cache.indexed(kind, indexName, keyText(placement));
}

/** The same, as `summarize` shows them, which is kept until they change. */
export function summariesOfPlacement<T extends KubeObject, S extends object>(
  cache: Cache,
  kind: Kind<T>,
  placement: ObjectKey,
  summarize: (object: Readonly<T>) => S,
): readonly S[] {
  return cache.summaries(kind, indexName, keyText(placement), summarize);
}

/** The same, without their content; the kind is watched with `keepsMetadata`. */
export function metadataOfPlacement(cache: Cache, kind: Kind, placement: ObjectKey): readonly Readonly<KubeObject>[] {
  return cache.indexedMetadata(kind, indexName, keyText(placement));
}

/** How many there are. */
export function countOfPlacement(cache: Cache, kind: Kind, placement: ObjectKey): number {
  return cache.count(kind, indexName, keyText(placement));
}
