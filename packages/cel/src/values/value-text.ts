import { goFloat } from '@flotilla/kube';
import { CelDuration, CelTimestamp, CelUint, type CelValue } from '../value.ts';
import { durationText, timestampText } from './time-text.ts';
import { typeName, typeOf } from './type-of.ts';

/** A value in an error message: scalars as text, everything else by type. */
export function valueText(value: CelValue): string {
  if (typeof value === 'number') return goFloat(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  return value === null ? 'null' : typeName(typeOf(value));
}
