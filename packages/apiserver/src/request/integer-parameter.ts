import { apiErrors, quote } from '@flotilla/kube';
import type { Query } from './query.ts';

/** An int64 query parameter. Throws Go's message if it does not parse. */
export function integerParameter(query: Query, name: string): number | bigint | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  if (/^[+-]?\d+$/.test(text)) {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value;
    // No int64 is longer, except with leading zeros, which are refused.
    const exact = text.length <= maxLength ? BigInt(text.replace('+', '')) : undefined;
    if (exact !== undefined && exact === BigInt.asIntN(64, exact)) return exact;
    throw apiErrors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: value out of range`);
  }
  throw apiErrors.badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
}

const maxLength = 20;
