/** How a list that is merged differs from another, in the words of a strategic merge patch. */
import { compareBytes } from '../go-format.ts';
import { jsonEquals } from '../json/json-equals.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { goPrint } from './go-print.ts';
import { patchMarker, unexpected } from './strategic-directives.ts';
import { elementKind, identity, keyOf } from './strategic-list.ts';

export interface ListDifference {
  /** Elements to add or change; among objects also those to delete, marked as such. */
  readonly changes: JsonValue[];
  /** Scalars to delete. */
  readonly deletions: JsonValue[];
  /** How the elements shall stand; empty when nothing says that this must change. */
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
 * Kubernetes compares the order only after it has sorted the first list, so that lists that are equal but not sorted get an
 * order list that changes nothing. Patches should be the same, so this is kept.
 */
function differenceOfScalars(from: JsonValue[], to: JsonValue[], { half }: ListOptions): ListDifference {
  const pairs = pairUp(from, to, scalarText);
  if (half === 'removals') {
    const lost = pairs.flatMap((pair) => (pair.to === undefined && pair.from !== undefined ? [pair.from] : []));
    const deletions = [...new Map(lost.map((value) => [identity(value), value])).values()];
    return { changes: [], deletions, order: deletions.length > 0 ? to : [] };
  }
  const added = pairs.flatMap((pair) => (pair.from === undefined && pair.to !== undefined ? [pair.to] : []));
  const isSame = jsonEquals(
    sorted(from, scalarText).map(({ element }) => element),
    to,
  );
  return { changes: inOrderOf(to, added, identity), deletions: [], order: isSame ? [] : to };
}

/** Kubernetes finds out by their texts which elements belong together. */
function scalarText(value: JsonValue): string {
  return goPrint(value);
}

function differenceOfObjects(from: JsonValue[], to: JsonValue[], options: ListOptions): ListDifference {
  const { mergeKey, half } = options;
  if (mergeKey === undefined) throw unexpected('cannot merge lists without merge key for struct');
  const keyText = (element: JsonValue) => goPrint(keyOf(element, mergeKey));
  const keyIdentity = (element: JsonValue) => identity(keyOf(element, mergeKey));
  const pairs = pairUp(from, to, keyText);
  const kept = pairs.flatMap((pair) => changesOfPair(pair, mergeKey, options));
  const lost =
    half === 'settings'
      ? []
      : pairs.flatMap(({ from: element, to: match }) =>
          element !== undefined && match === undefined ? [deletionOf(element, mergeKey)] : [],
        );
  const changes = [...inOrderOf(to, kept, keyIdentity), ...lost];
  const isMoved = half === 'settings' && !isSameOrder(from, to, keyIdentity);
  const order = to.map((element) => ({ [mergeKey]: keyOf(element, mergeKey) }));
  return { changes, deletions: [], order: changes.length > 0 || isMoved ? order : [] };
}

function changesOfPair({ from, to }: Pair, mergeKey: string, { half, elementDifference }: ListOptions): JsonObject[] {
  if (!isJsonObject(to)) return [];
  if (!isJsonObject(from)) return half === 'settings' ? [to] : [];
  const difference = elementDifference(from, to);
  return Object.keys(difference).length > 0 ? [{ ...difference, [mergeKey]: keyOf(to, mergeKey) }] : [];
}

function deletionOf(element: JsonValue, mergeKey: string): JsonObject {
  return { [mergeKey]: keyOf(element, mergeKey), [patchMarker]: 'delete' };
}

/** Elements of two lists with the same text; one is missing where only the other list has it. */
interface Pair {
  readonly from?: JsonValue;
  readonly to?: JsonValue;
}

function pairUp(from: JsonValue[], to: JsonValue[], textOf: TextOf): Pair[] {
  const left = sorted(from, textOf);
  const right = sorted(to, textOf);
  const pairs: Pair[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const order = compareTexts(left[l], right[r]);
    pairs.push({
      ...(order <= 0 && { from: left[l++]?.element ?? null }),
      ...(order >= 0 && { to: right[r++]?.element ?? null }),
    });
  }
  return pairs;
}

type TextOf = (element: JsonValue) => string;

interface Labelled {
  readonly text: string;
  readonly element: JsonValue;
}

/** By text. Elements with the same text stand in reverse, which is what becomes of them in Kubernetes. */
function sorted(list: JsonValue[], textOf: TextOf): Labelled[] {
  return list
    .map((element) => ({ text: textOf(element), element }))
    .reverse()
    .sort(compareTexts);
}

/** What has no counterpart any more comes first. */
function compareTexts(left: Labelled | undefined, right: Labelled | undefined): number {
  if (left === undefined) return 1;
  return right === undefined ? -1 : compareBytes(left.text, right.text);
}

function inOrderOf(list: JsonValue[], elements: JsonValue[], identify: (element: JsonValue) => unknown): JsonValue[] {
  const places = new Map(list.map((element, place) => [identify(element), place] as const).reverse());
  const placeOf = (element: JsonValue) => places.get(identify(element)) ?? 0;
  return elements.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function isSameOrder(from: JsonValue[], to: JsonValue[], identify: (element: JsonValue) => unknown): boolean {
  if (from.length !== to.length) return false;
  return from.every((element, place) => identify(element) === identify(to[place] ?? null));
}
