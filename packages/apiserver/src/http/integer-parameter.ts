import { apiErrors, quote } from '@flotilla/kube';
import type { Query } from './query.ts';

/** An int64 query parameter; what does not parse is refused with Go's own sentence. */
export function integerParameter(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (/^[+-]?\d+$/.test(text)) {
    const value = Number(text);
    if (Math.abs(value) < 2 ** 63) return value;
    throw apiErrors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  }
  throw apiErrors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
}
