import type { Overload } from '../library.ts';
import { CelDuration, CelError, CelTimestamp, type CelValue } from '../value.ts';
import { noSuchOverload, noSuchSignature } from '../values/errors.ts';
import { fits } from './fit.ts';

/** Functions that say nothing more of arguments that do not fit. */
const bare: ReadonlySet<string> = new Set(['!_', '@in', 'contains', 'endsWith', 'matches', 'startsWith']);

/** Functions that say their name if even the first argument does not fit, and nothing more otherwise. */
const named: ReadonlySet<string> = new Set([
  '_+_',
  '_-_',
  '_*_',
  '_/_',
  '_%_',
  '-_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
  'size',
  'sort',
  '@sortByAssociatedKeys',
]);

/** The sentence for arguments that no overload takes, which in cel-go depends on how a function is written. */
export function noOverload(name: string, overloads: readonly Overload[], args: readonly CelValue[]): CelError {
  if (bare.has(name)) return noSuchOverload;
  if (!named.has(name)) return noSuchSignature(name, args);
  const [first] = args;
  return first !== undefined && (isReceiver(first) || overloads.some((overload) => takes(overload, first)))
    ? noSuchOverload
    : new CelError(`no such overload: ${name}`);
}

/** cel-go asks values of these types themselves, which then answer without a name. */
function isReceiver(value: CelValue): boolean {
  return typeof value === 'string' || value instanceof CelTimestamp || value instanceof CelDuration;
}

function takes(overload: Overload, first: CelValue): boolean {
  const [parameter] = overload.parameters;
  return parameter !== undefined && fits(parameter, first);
}
