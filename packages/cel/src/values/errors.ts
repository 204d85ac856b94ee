import { CelError, type CelValue } from '../value.ts';
import { typeName, typeOf } from './type-of.ts';

/** The operands of an operator have types that do not fit. */
export const noSuchOverload: CelError = new CelError('no such overload');

/** No overload accepts these arguments. */
export function noSuchSignature(name: string, args: readonly CelValue[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map((arg) => typeName(typeOf(arg))).join(', ')})`);
}

export const intOverflow: CelError = new CelError('integer overflow');
export const uintOverflow: CelError = new CelError('unsigned integer overflow');
export const timestampOverflow: CelError = new CelError('timestamp overflow');

export function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}
