import { oneUnit, plus, scaled, times as product } from '../../cost/cost.ts';
import { declare, overload, type FunctionDeclaration, type Library, type Overload } from '../../library.ts';
import { isElement } from '../../standard/collections.ts';
import { types } from '../../type.ts';
import { CelError, type CelList } from '../../value.ts';
import { sizeOf } from '../../values/size.ts';

const list = types.list(types.param('T'));

/** Lists as sets: order and duplicates do not count. */
export const setsLibrary: Library = {
  name: 'sets',
  functions: [
    comparison('contains', 1, containsAll),
    comparison('equivalent', 2, (a, b) => containsAll(a, b) && containsAll(b, a)),
    comparison('intersects', 1, (a, b) => anyOf(a, b)),
  ],
};

/** Compares each element with each of the other list, `times` times. */
function comparison(
  name: string,
  times: number,
  call: (left: CelList, right: CelList) => boolean,
): FunctionDeclaration {
  const parts: Pick<Overload, 'cost' | 'estimate'> = {
    cost: ([left, right]) => 1 + sizeOf(left ?? null) * sizeOf(right ?? null) * times,
    estimate: ([left, right]) => ({
      cost: left && right ? plus(scaled(product(left.size, right.size), times), oneUnit) : oneUnit,
    }),
  };
  return declare(`sets.${name}`, overload(`list_sets_${name}_list`, [list, list], types.bool, call, parts));
}

function containsAll(whole: CelList, part: CelList): boolean {
  for (let i = 0; i < part.size; i++) {
    const element = part.at(i);
    if (element instanceof CelError || !isElement(element, whole)) return false;
  }
  return true;
}

function anyOf(left: CelList, right: CelList): boolean {
  for (let i = 0; i < left.size; i++) {
    const element = left.at(i);
    if (!(element instanceof CelError) && isElement(element, right)) return true;
  }
  return false;
}
