/** The difference between two merged lists, as a strategic merge patch expresses it. */
import { compareBytes } from '../go/format.ts';
import { jsonEquals } from '../json/json-equals.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { goPrint } from './go-print.ts';
import { patchMarker, unexpected } from './strategic-directives.ts';
import { elementKind, identity, keyOf } from './strategic-list.ts';

export interface ListDifference {
  /** Elements to add or change. Among objects, also markers for those to delete. */
  readonly changes: JsonValue[];
  /** Scalars to delete. */
  readonly deletions: JsonValue[];
  /** The wanted order of elements; empty if the order need not change. */
  readonly order: JsonValue[];
}

interface ListOptions {
  readonly mergeKey: string | undefined;
  readonly half: 'settings' | 'removals';
  readonly elementDifference: (from: JsonObject, to: JsonObject) => JsonObject;
}

export function listDifference(from: JsonValue[], to: JsonValue[], options: ListOptions): ListDifference {
  if (from.length === 0) return { changes: options.half === 'settings' ? to : [], deletions: [], order: [] };
  return elementKind(from, to) === 'scalar'
    ? differenceOfScalars(from, to, options)
    : differenceOfObjects(from, to, options);
}

/**
 * Kubernetes sorts the first list before it compares the order. So equal lists that are not sorted get an order list
 * without effect. Patches must be identical, so this does the same.
 */
function differenceOfScalars(from: JsonValue[], to: JsonValue[], { half }: ListOptions): ListDifference {
  const { lost, added } = match(from, to, scalarText);
  if (half === 'removals') {
    const deletions = [...new Map(lost.map((value) => [identity(value), value])).values()];
    return { changes: [], deletions, order: deletions.length > 0 ? to : [] };
  }
  const before = sorted(from, scalarText).map(({ element }) => element);
  return { changes: inOrderOf(to, added, identity), deletions: [], order: jsonEquals(before, to) ? [] : to };
}

function differenceOfObjects(from: JsonValue[], to: JsonValue[], options: ListOptions): ListDifference {
  const { mergeKey, half, elementDifference } = options;
  if (mergeKey === undefined) throw unexpected('cannot merge lists without merge key for struct');
  const keyIn = (element: JsonValue) => keyOf(element, mergeKey);
  const { common, lost, added } = match(from, to, (element) => goPrint(keyIn(element)));
  const changed = common.flatMap((pair) => changeOf(pair, mergeKey, elementDifference));
  const deleted = lost.map((element) => ({ [mergeKey]: keyIn(element), [patchMarker]: 'delete' }));
  const keyIdentity = (element: JsonValue) => identity(keyIn(element));
  const changes =
    half === 'settings'
      ? inOrderOf(to, [...changed, ...added], keyIdentity)
      : [...inOrderOf(to, changed, keyIdentity), ...deleted];
  const isMoved = half === 'settings' && !isSameOrder(from, to, keyIdentity);
  const order = changes.length > 0 || isMoved ? to.map((element) => ({ [mergeKey]: keyIn(element) })) : [];
  return { changes, deletions: [], order };
}

function changeOf({ from, to }: Pair, mergeKey: string, difference: ListOptions['elementDifference']): JsonObject[] {
  if (!isJsonObject(from) || !isJsonObject(to)) return [];
  const change = difference(from, to);
  return Object.keys(change).length > 0 ? [{ ...change, [mergeKey]: keyOf(to, mergeKey) }] : [];
}

interface Pair {
  readonly from: JsonValue;
  readonly to: JsonValue;
}

interface Matching {
  readonly common: Pair[];
  readonly lost: JsonValue[];
  readonly added: JsonValue[];
}

type TextOf = (element: JsonValue) => string;

/** Kubernetes matches elements by their text, starting with the last of each text. */
function match(from: JsonValue[], to: JsonValue[], textOf: TextOf): Matching {
  const waiting = Map.groupBy(to, textOf);
  const common: Pair[] = [];
  const lost: JsonValue[] = [];
  for (const { text, element } of sorted(from, textOf)) {
    const partner = waiting.get(text)?.pop();
    if (partner === undefined) lost.push(element);
    else common.push({ from: element, to: partner });
  }
  return { common, lost, added: [...waiting.values()].flatMap((elements) => elements.reverse()) };
}

interface Labelled {
  readonly text: string;
  readonly element: JsonValue;
}

/** Sorts by text. Elements with equal text are reversed, as in Kubernetes. */
function sorted(list: JsonValue[], textOf: TextOf): Labelled[] {
  return list
    .map((element) => ({ text: textOf(element), element }))
    .reverse()
    .sort((a, b) => compareBytes(a.text, b.text));
}

function scalarText(value: JsonValue): string {
  return goPrint(value);
}

/** Sorts by the first index of an element's identity in the list. */
function inOrderOf(list: JsonValue[], elements: JsonValue[], identify: (element: JsonValue) => unknown): JsonValue[] {
  const places = new Map(list.map((element, place) => [identify(element), place] as const).reverse());
  const placeOf = (element: JsonValue) => places.get(identify(element)) ?? 0;
  return elements.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function isSameOrder(from: JsonValue[], to: JsonValue[], identify: (element: JsonValue) => unknown): boolean {
  if (from.length !== to.length) return false;
  return from.every((element, place) => identify(element) === identify(to[place] ?? null));
}
