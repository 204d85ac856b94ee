import { CelDuration, CelError, CelList, CelMap, CelOpaque, CelOptional, CelStruct } from '../value.ts';
import { CelTimestamp, CelTypeValue, CelUint, type CelValue, type Result } from '../value.ts';
import { sameType } from './type-of.ts';
import { countWork } from './work.ts';

/** CEL's equality: numbers by value, whatever their type. Other values of different types are unequal. */
export function equals(left: CelValue, right: CelValue): boolean | CelError {
  if (typeof left === 'string' || typeof left === 'boolean' || left === null) return left === right;
  if (typeof left === 'bigint' && typeof right === 'bigint') return left === right;
  return deepEquals(left, right);
}

/** For lookups that ignore errors: what cannot be compared is unequal. */
export function isEqual(left: CelValue, right: CelValue): boolean {
  return equals(left, right) === true;
}

function deepEquals(left: Result, right: Result): boolean | CelError {
  countWork(1);
  if (typeof left !== 'object' || left === null) return scalarEquals(left, right);
  if (left instanceof CelUint) return numberEquals(left.value, right);
  if (left instanceof CelList) return right instanceof CelList && listEquals(left, right);
  if (left instanceof CelMap) return right instanceof CelMap && mapEquals(left, right);
  if (left instanceof CelStruct) return right instanceof CelStruct && structEquals(left, right);
  if (left instanceof CelOptional) return right instanceof CelOptional && optionalEquals(left, right);
  return leafEquals(left, right);
}

/** Skips elements that cannot be compared, as cel-go does. */
function listEquals(left: CelList, right: CelList): boolean | CelError {
  if (left.equals) return left.equals(right);
  if (left.size !== right.size) return false;
  for (let i = 0; i < left.size; i++) {
    if (deepEquals(left.at(i), right.at(i)) === false) return false;
  }
  return true;
}

function mapEquals(left: CelMap, right: CelMap): boolean | CelError {
  if (left.equals) return left.equals(right);
  if (left.size !== right.size) return false;
  for (const key of left.keys()) {
    const other = right.get(key);
    if (other === undefined || deepEquals(left.get(key) ?? null, other) === false) return false;
  }
  return true;
}

function optionalEquals(left: CelOptional, right: CelOptional): boolean | CelError {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return deepEquals(left.value, right.value);
}

function scalarEquals(left: Exclude<Result, object> | null, right: Result): boolean {
  if (typeof left === 'bigint' || typeof left === 'number') return numberEquals(left, right);
  return left === right;
}

/** Compares an integer and a double as doubles, as cel-go does. NaN equals nothing. */
function numberEquals(left: bigint | number, right: Result): boolean {
  const other = right instanceof CelUint ? right.value : right;
  if (typeof other !== 'bigint' && typeof other !== 'number') return false;
  return typeof left === typeof other ? left === other : Number(left) === Number(other);
}

function structEquals(left: CelStruct, right: CelStruct): boolean | CelError {
  return left.equals ? left.equals(right) : left === right;
}

function leafEquals(left: object, right: Result): boolean {
  if (left instanceof CelTimestamp) return right instanceof CelTimestamp && left.nanos === right.nanos;
  if (left instanceof CelDuration) return right instanceof CelDuration && left.nanos === right.nanos;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && bytesEqual(left, right);
  if (left instanceof CelOpaque) return right instanceof CelOpaque && left.equals(right);
  if (left instanceof CelTypeValue) return right instanceof CelTypeValue && sameType(left.type, right.type);
  return false;
}

function bytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}
