import { compareBytes } from '@flotilla/kube';
import { CelDuration, CelError, CelTimestamp, CelUint, type CelValue } from '../value.ts';
import { noSuchOverload } from './errors.ts';

export type Order = -1 | 0 | 1;

const notOrdered = new CelError('NaN values cannot be ordered');

/** Compares two values of one type, or two numbers of any type. */
export function compare(left: CelValue, right: CelValue): Order | CelError {
  if (typeof left === 'bigint' || typeof left === 'number') return compareNumbers(left, right);
  if (typeof left === 'string') return typeof right === 'string' ? sign(compareBytes(left, right)) : noSuchOverload;
  if (typeof left === 'boolean') return typeof right === 'boolean' ? order(left, right) : noSuchOverload;
  return compareObjects(left, right);
}

function compareObjects(left: CelValue, right: CelValue): Order | CelError {
  if (left instanceof CelUint) return compareNumbers(left.value, right);
  if (left instanceof CelTimestamp && right instanceof CelTimestamp) return order(left.nanos, right.nanos);
  if (left instanceof CelDuration && right instanceof CelDuration) return order(left.nanos, right.nanos);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareArrays(left, right);
  return noSuchOverload;
}

/** Compares an integer and a double as doubles, as cel-go does. */
function compareNumbers(left: bigint | number, right: CelValue): Order | CelError {
  const other = right instanceof CelUint ? right.value : right;
  if (typeof left === 'bigint' && typeof other === 'bigint') return order(left, other);
  if (Number.isNaN(left)) return notOrdered;
  if (typeof other !== 'bigint' && typeof other !== 'number') return noSuchOverload;
  if (Number.isNaN(other)) return notOrdered;
  return order(Number(left), Number(other));
}

function compareArrays(left: Uint8Array, right: Uint8Array): Order {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) if (left[i] !== right[i]) return order(left[i] as number, right[i] as number);
  return order(left.length, right.length);
}

function sign(difference: number): Order {
  return order(difference, 0);
}

function order<T extends bigint | number | boolean>(left: T, right: T): Order {
  return left < right ? -1 : left > right ? 1 : 0;
}
