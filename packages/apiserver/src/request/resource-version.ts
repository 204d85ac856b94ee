import { quote } from '@flotilla/kube';

/** Undefined: not a resource version. Versions are unsigned integers; empty and `0` both read as 0. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === '') return 0;
  return /^\d+$/.test(text) && isUint64(text) ? Number(text) : undefined;
}

/** Twenty digits may be too much, nineteen never are. */
function isUint64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length < 20 || (significant.length === 20 && significant <= '18446744073709551615');
}

/** The sentence after the field's name: what Go's parser had against it. */
export function resourceVersionFault(text: string): string {
  return `resourceVersion: Invalid value: ${quote(text)}: ${parseFault(text)}`;
}

export function parseFault(text: string): string {
  const isNumber = /^\d+$/.test(text);
  return `strconv.ParseUint: parsing ${quote(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`;
}
