import { quote } from './go-format.ts';

/** A number, or a text that is usually a percentage or a port's name. */
export type IntOrString = number | string;

const MAX_DIGITS = 18;

/**
 * The number, or that percentage of `total`. Throws an Error with Kubernetes' sentence for a text that is no percentage.
 */
export function resolveIntOrPercent(value: IntOrString, total: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const share = (percentOf(value) * total) / 100;
  return rounding === 'up' ? Math.ceil(share) : Math.floor(share);
}

/** The number, or what a text says in digits; 0 for any other text. */
export function intValue(value: IntOrString): number {
  return typeof value === 'number' ? value : (decimalIn(value) ?? 0);
}

/** The percentage that a text states, or undefined for anything else. */
export function percentIn(value: IntOrString): number | undefined {
  if (typeof value === 'number' || !/^\d+%$/.test(value)) return undefined;
  return decimalIn(value.slice(0, -1));
}

function percentOf(text: string): number {
  if (!text.endsWith('%')) throw new Error('invalid value for IntOrString: invalid type: string is not a percentage');
  const digits = text.slice(0, -1);
  const percent = decimalIn(digits);
  if (percent !== undefined) return percent;
  const reason = `strconv.Atoi: parsing ${quote(digits)}: invalid syntax`;
  throw new Error(`invalid value for IntOrString: invalid value ${quote(text)}: ${reason}`);
}

function decimalIn(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) && text.length <= MAX_DIGITS ? Number(text) : undefined;
}
