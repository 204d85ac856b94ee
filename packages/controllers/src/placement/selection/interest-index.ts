/** Placements by the objects that concern them, so that a change of an object needs no scan of all placements. */
import type { Kind, LabelSelector, ObjectKey } from '@flotilla/kube';
import { kindText } from '@flotilla/runtime';
import type { Interest } from './interests.ts';

type Labels = Readonly<Record<string, string>>;

/** Placements by the objects of one kind in one namespace that concern them. */
class Bucket {
  readonly byName = new Map<string, Set<string>>();
  /** By a label that an object must have to match. */
  readonly byLabel = new Map<string, Map<string, LabelSelector[]>>();
  /** Selectors that no single label decides. */
  readonly byAny = new Map<string, LabelSelector[]>();

  get isEmpty(): boolean {
    return this.byName.size + this.byLabel.size + this.byAny.size === 0;
  }
}

interface Known {
  readonly interests: readonly Interest[];
  readonly wholeNamespaces: Set<string>;
}

export class InterestIndex {
  readonly #buckets = new Map<string, Bucket>();
  readonly #byNamespace = new Map<string, Set<string>>();
  readonly #known = new Map<string, Known>();

  /** Replaces what concerns a placement, except for the content of whole namespaces. */
  set(placement: string, interests: readonly Interest[]): void {
    const { interests: before = [], wholeNamespaces = new Set<string>() } = this.#known.get(placement) ?? {};
    for (const interest of before) this.#remove(placement, interest);
    for (const interest of interests) this.#add(placement, interest);
    this.#known.set(placement, { interests, wholeNamespaces });
  }

  /** All objects in the namespace concern the placement, too. */
  addWholeNamespace(placement: string, namespace: string): void {
    this.#known.get(placement)?.wholeNamespaces.add(namespace);
    addTo(this.#byNamespace, namespace, placement);
  }

  /** Only these namespaces concern the placement as a whole. */
  keepWholeNamespaces(placement: string, kept: ReadonlySet<string> = none): void {
    const { wholeNamespaces = new Set<string>() } = this.#known.get(placement) ?? {};
    for (const namespace of wholeNamespaces) {
      if (kept.has(namespace)) continue;
      wholeNamespaces.delete(namespace);
      removeFrom(this.#byNamespace, namespace, placement);
    }
  }

  delete(placement: string): void {
    this.set(placement, []);
    this.keepWholeNamespaces(placement);
    this.#known.delete(placement);
  }

  /** The placements that a change of any object in this namespace concerns. */
  inNamespace(namespace: string | undefined): ReadonlySet<string> {
    return (namespace === undefined ? undefined : this.#byNamespace.get(namespace)) ?? none;
  }

  /** The placements whose selectors name this object. `labels` are those before and after the change, and asked for only if needed. */
  of(kind: Kind, { namespace, name }: ObjectKey, labels: () => readonly Labels[]): ReadonlySet<string> {
    const bucket = this.#buckets.get(bucketName(kind, namespace));
    if (bucket === undefined) return none;
    const found = new Set(bucket.byName.get(name));
    if (bucket.byLabel.size + bucket.byAny.size > 0) {
      for (const state of labels()) addMatching(found, bucket, state);
    }
    return found;
  }

  #add(placement: string, { kind, namespace, name, labels }: Interest): void {
    const text = bucketName(kind, namespace);
    const bucket = this.#buckets.get(text) ?? new Bucket();
    this.#buckets.set(text, bucket);
    if (name !== undefined) return addTo(bucket.byName, name, placement);
    if (labels === undefined) return;
    for (const selectors of lanesFor(bucket, labels))
      selectors.set(placement, [...(selectors.get(placement) ?? []), labels]);
  }

  /** Removes all selectors of the placement from the lanes of this one; `set` adds those that stay. */
  #remove(placement: string, { kind, namespace, name, labels }: Interest): void {
    const text = bucketName(kind, namespace);
    const bucket = this.#buckets.get(text);
    if (bucket === undefined) return;
    if (name !== undefined) removeFrom(bucket.byName, name, placement);
    bucket.byAny.delete(placement);
    for (const label of labels === undefined ? [] : neededLabels(labels)) {
      const selectors = bucket.byLabel.get(label);
      selectors?.delete(placement);
      if (selectors?.size === 0) bucket.byLabel.delete(label);
    }
    if (bucket.isEmpty) this.#buckets.delete(text);
  }
}

const none: ReadonlySet<string> = new Set();

function addMatching(found: Set<string>, { byLabel, byAny }: Bucket, labels: Labels): void {
  const lanes = [byAny];
  for (const [label, value] of Object.entries(labels)) {
    for (const text of [label, `${label}=${value}`]) {
      const lane = byLabel.get(text);
      if (lane !== undefined) lanes.push(lane);
    }
  }
  for (const lane of lanes) {
    for (const [placement, selectors] of lane) {
      if (!found.has(placement) && selectors.some((selector) => selector.matches(labels))) found.add(placement);
    }
  }
}

function lanesFor(bucket: Bucket, selector: LabelSelector): Map<string, LabelSelector[]>[] {
  const needed = neededLabels(selector);
  if (needed.length === 0) return [bucket.byAny];
  return needed.map((label) => {
    const lane = bucket.byLabel.get(label) ?? new Map<string, LabelSelector[]>();
    bucket.byLabel.set(label, lane);
    return lane;
  });
}

/** An object that matches has one of these: `key=value`, or the key alone. Empty if nothing can be said. */
function neededLabels({ requirements }: LabelSelector): readonly string[] {
  const exact = requirements.find(({ operator }) => operator === '=' || operator === '==' || operator === 'in');
  if (exact !== undefined) return exact.values.map((value) => `${exact.key}=${value}`);
  const present = requirements.find(({ operator }) => operator === 'exists');
  return present === undefined ? [] : [present.key];
}

function bucketName(kind: Kind, namespace = ''): string {
  return `${kindText(kind)} ${namespace}`;
}

function addTo(map: Map<string, Set<string>>, key: string, placement: string): void {
  const placements = map.get(key);
  if (placements === undefined) map.set(key, new Set([placement]));
  else placements.add(placement);
}

function removeFrom(map: Map<string, Set<string>>, key: string, placement: string): void {
  const placements = map.get(key);
  placements?.delete(placement);
  if (placements?.size === 0) map.delete(key);
}
