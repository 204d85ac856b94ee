import { CelList, type CelError, type CelValue, type Result } from '../value.ts';
import { endAtCostLimit, maxListSize } from './work.ts';

/** A list backed by an array. */
export class ArrayList extends CelList {
  readonly elements: readonly CelValue[];

  constructor(elements: readonly CelValue[]) {
    super();
    this.elements = elements;
  }

  override get size(): number {
    return this.elements.length;
  }

  override at(index: number): Result {
    return this.elements[index] as CelValue;
  }
}

/** A concatenation without copying, so that `a + b` takes constant time. */
class ConcatenatedList extends CelList {
  override readonly size: number;
  readonly #first: CelList;
  readonly #second: CelList;

  constructor(first: CelList, second: CelList) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }

  override at(index: number): Result {
    return index < this.#first.size ? this.#first.at(index) : this.#second.at(index - this.#first.size);
  }
}

/** A part of another list, without copying. */
class ListSlice extends CelList {
  override readonly size: number;
  readonly #list: CelList;
  readonly #start: number;

  constructor(list: CelList, start: number, end: number) {
    super();
    this.#list = list;
    this.#start = start;
    this.size = end - start;
  }

  override at(index: number): Result {
    return this.#list.at(this.#start + index);
  }
}

export function concatenate(first: CelList, second: CelList): CelList | CelError {
  if (first.concat) return first.concat(second);
  if (first.size === 0) return second;
  if (second.size === 0) return first;
  if (first.size + second.size > maxListSize) endAtCostLimit();
  return new ConcatenatedList(first, second);
}

export function slice(list: CelList, start: number, end: number): CelList {
  return new ListSlice(list, start, end);
}

export function* elementsOf(list: CelList): Generator<Result> {
  for (let i = 0; i < list.size; i++) yield list.at(i);
}
