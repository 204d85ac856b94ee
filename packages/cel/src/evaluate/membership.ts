import { CelError, CelUint, type CelValue } from '../value.ts';
import { ArrayList } from '../values/list.ts';
import { mapKey } from '../values/map.ts';
import { constant, type Compiled } from './compiled.ts';

/**
 * `x in ['a', 'b']`: a list of constants becomes a set, and looking into it costs nothing. Undefined: the list is not
 * constant, or holds what no set can tell apart.
 */
export function compileMembership([value, list]: readonly Compiled[]): Compiled | undefined {
  const elements = list?.constant instanceof ArrayList ? list.constant.elements : undefined;
  if (value === undefined || elements === undefined || !elements.every(isPrimitive)) return undefined;
  if (elements.length === 0) return constant(false);
  const set = new Set(elements.filter((element) => !Number.isNaN(element)).map(mapKey));
  const { evaluate } = value;
  return {
    evaluate: (frame) => {
      const wanted = evaluate(frame);
      if (typeof wanted === 'string') return set.has(wanted);
      return wanted instanceof CelError ? wanted : set.has(mapKey(wanted));
    },
  };
}

function isPrimitive(value: CelValue): boolean {
  return value instanceof CelUint || (typeof value !== 'object' && value !== undefined);
}
