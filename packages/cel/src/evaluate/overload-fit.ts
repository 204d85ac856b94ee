/** Whether arguments fit an overload, if that was not known at compile time. */
import type { Overload } from '../library.ts';
import type { CelType } from '../type.ts';
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelStruct,
  CelTimestamp,
  CelTypeValue,
  type CelValue,
} from '../value.ts';
import { noSuchOverload, noSuchSignature } from '../values/errors.ts';
import { typeOf } from '../values/type-of.ts';

export function fitsAll(overload: Overload, args: readonly CelValue[]): boolean {
  const { parameters } = overload;
  if (parameters.length !== args.length) return false;
  for (let i = 0; i < args.length; i++) {
    if (!fits(parameters[i] as CelType, args[i] as CelValue)) return false;
  }
  return true;
}

function fits(type: CelType, value: CelValue): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return true;
    case 'list':
      return value instanceof CelList && (value.size === 0 || fitsResult(type.element, value.at(0)));
    case 'map':
      return value instanceof CelMap && firstEntryFits(type.key, type.value, value);
    case 'object':
      return value instanceof CelStruct && value.typeName === type.name;
    case 'opaque':
      if (type.name === 'optional_type') return value instanceof CelOptional;
      return value instanceof CelOpaque && value.typeName === type.name;
    case 'type':
      return value instanceof CelTypeValue;
    case 'null':
    case 'bool':
    case 'int':
    case 'uint':
    case 'double':
    case 'string':
    case 'bytes':
    case 'timestamp':
    case 'duration':
    case 'error':
      return typeOf(value).kind === type.kind;
  }
}

function firstEntryFits(key: CelType, content: CelType, map: CelMap): boolean {
  for (const first of map.keys()) return fits(key, first) && fitsResult(content, map.get(first) ?? null);
  return true;
}

function fitsResult(type: CelType, value: CelValue | CelError): boolean {
  return !(value instanceof CelError) && fits(type, value);
}

/** Whether every value of the argument type fits, so that no run-time check is needed. */
export function alwaysFits(parameter: CelType, argument: CelType | undefined): boolean {
  if (parameter.kind === 'dyn' || parameter.kind === 'param') return true;
  if (argument === undefined || argument.kind !== parameter.kind) return false;
  if (parameter.kind === 'list') return argument.kind === 'list' && alwaysFits(parameter.element, argument.element);
  if (parameter.kind === 'map') {
    return (
      argument.kind === 'map' && alwaysFits(parameter.key, argument.key) && alwaysFits(parameter.value, argument.value)
    );
  }
  if (parameter.kind === 'object') return argument.kind === 'object' && argument.name === parameter.name;
  if (parameter.kind === 'opaque') return argument.kind === 'opaque' && argument.name === parameter.name;
  return true;
}

/** Functions whose error has no details. */
const bare: ReadonlySet<string> = new Set(['!_', '@in', 'contains', 'endsWith', 'matches', 'startsWith']);

/** Functions whose error has their name only if the first argument fits no overload. */
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

/** The error for arguments that fit no overload. In cel-go it depends on the implementation of the function. */
export function noOverload(name: string, overloads: readonly Overload[], args: readonly CelValue[]): CelError {
  if (bare.has(name)) return noSuchOverload;
  if (!named.has(name)) return noSuchSignature(name, args);
  const [first] = args;
  return first !== undefined && (isReceiver(first) || overloads.some((overload) => takes(overload, first)))
    ? noSuchOverload
    : new CelError(`no such overload: ${name}`);
}

/** cel-go dispatches on values of these types, whose error has no name. */
function isReceiver(value: CelValue): boolean {
  return typeof value === 'string' || value instanceof CelTimestamp || value instanceof CelDuration;
}

function takes(overload: Overload, first: CelValue): boolean {
  const [parameter] = overload.parameters;
  return parameter !== undefined && fits(parameter, first);
}
