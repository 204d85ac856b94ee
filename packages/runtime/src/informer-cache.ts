import { apiVersionOf, onceFor, type Kind, type KubeObject, type ObjectKey, type Outline } from '@flotilla/kube';
import type { Cache, Selection } from './controller.ts';
import { InvariantError } from './failures.ts';
import type { Informer } from './informer/informer.ts';
import { labelIndexName } from './informer/label-index.ts';
import { compareKeys, keyFromText } from './informer/object-key.ts';
import type { ReadonlyObject } from './informer/object-source.ts';

/**
 * The kinds that one controller watches. It may read no others, since their changes would not requeue it. Lists are sorted by
 * key, so that the same state gives the same plan.
 */
export class InformerCache implements Cache {
  readonly #informers: ReadonlyMap<string, Informer>;
  /** By the function that makes them. */
  readonly #summaries = new Map<unknown, WeakMap<Outline, object>>();

  constructor(informers: ReadonlyMap<string, Informer>) {
    this.#informers = informers;
  }

  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Readonly<T> | undefined {
    return this.#informerOf(kind).get(key) as T | undefined;
  }

  list<T extends KubeObject>(kind: Kind<T>, { namespace, labels = {} }: Selection = {}): readonly Readonly<T>[] {
    const informer = this.#informerOf(kind);
    const wanted = Object.entries(labels);
    const found: ReadonlyObject[] = [];
    for (const object of candidates(informer, namespace, wanted)) {
      if (namespace !== undefined && object.metadata.namespace !== namespace) continue;
      if (hasLabels(object, wanted)) found.push(object);
    }
    return inOrder(found) as T[];
  }

  indexed<T extends KubeObject>(kind: Kind<T>, index: string, value: string): readonly Readonly<T>[] {
    return inOrder(this.#informerOf(kind).indexed(index, value)) as T[];
  }

  keys(kind: Kind, index: string, value: string): readonly ObjectKey[] {
    return [...this.#informerOf(kind).keysIn(index, value)].map(keyFromText).sort(compareKeys);
  }

  count(kind: Kind, index: string, value: string): number {
    return this.#informerOf(kind).countIn(index, value);
  }

  indexedMetadata(kind: Kind, index: string, value: string): readonly ReadonlyObject[] {
    return inOrder(this.#informerOf(kind).indexedMetadata(index, value));
  }

  summaries<T extends KubeObject, S extends object>(
    kind: Kind<T>,
    index: string,
    value: string,
    summarize: (object: Readonly<T>) => S,
  ): readonly S[] {
    const informer = this.#informerOf(kind);
    const known = this.#summariesBy(summarize);
    return this.keys(kind, index, value).flatMap((key): S | S[] => {
      const outline = informer.outline(key);
      const before = outline && known.get(outline);
      if (outline === undefined || before !== undefined) return before ?? [];
      const object = informer.get(key);
      if (object === undefined) return [];
      const summary = summarize(object as Readonly<T>);
      known.set(outline, summary);
      return summary;
    });
  }

  /** By the outline of the object. */
  #summariesBy<S extends object>(summarize: (object: never) => S): WeakMap<Outline, S> {
    const known = this.#summaries.get(summarize) ?? new WeakMap<Outline, object>();
    this.#summaries.set(summarize, known);
    return known as WeakMap<Outline, S>;
  }

  /** Undefined if the kind is not watched. */
  find(kind: Kind): Informer | undefined {
    return this.#informers.get(kindText(kind));
  }

  #informerOf(kind: Kind): Informer {
    const informer = this.find(kind);
    if (informer === undefined) throw new InvariantError(`${kindText(kind)} is read but not watched`);
    return informer;
  }
}

/** `apps/v1/deployments`: a kind as a key for maps. Every read of a cache needs it. */
export const kindText = onceFor((kind: Kind): string => `${apiVersionOf(kind)}/${kind.plural}`);

/** The smallest set of objects that the indexes can give. */
function candidates(
  informer: Informer,
  namespace: string | undefined,
  wanted: readonly (readonly [string, string])[],
): Iterable<ReadonlyObject> {
  const usable = wanted.filter(([label]) => informer.hasIndex(labelIndexName(label)));
  const sizes = usable.map(([label, value]) => informer.countIn(labelIndexName(label), value));
  const best = usable[sizes.indexOf(Math.min(...sizes))];
  return best === undefined ? informer.all(namespace) : informer.indexed(labelIndexName(best[0]), best[1]);
}

function hasLabels({ metadata: { labels } }: ReadonlyObject, wanted: readonly (readonly [string, string])[]): boolean {
  return wanted.every(
    ([label, value]) => labels !== undefined && Object.hasOwn(labels, label) && labels[label] === value,
  );
}

function inOrder(objects: ReadonlyObject[]): ReadonlyObject[] {
  return objects.sort((a, b) => compareKeys(a.metadata, b.metadata));
}
