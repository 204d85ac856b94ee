import { CelError, CelList, type CelValue, type Result } from '../value.ts';

/** The list that a loop is making: `+` adds to it in place, so that a thousand turns do not make a thousand lists. */
export class ListBuilder extends CelList {
  readonly elements: CelValue[] = [];

  override get size(): number {
    return this.elements.length;
  }

  override at(index: number): Result {
    return this.elements[index] as CelValue;
  }

  override concat(other: CelList): CelList | CelError {
    for (let i = 0; i < other.size; i++) {
      const element = other.at(i);
      if (element instanceof CelError) return element;
      this.elements.push(element);
    }
    return this;
  }
}
