import { quote } from '@flotilla/kube';

/** Returns undefined if the text is no unsigned integer. Empty and `0` both are 0. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === '') return 0;
  return /^\d+$/.test(text) && isUint64(text) ? Number(text) : undefined;
}

function isUint64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  return significant.length < 20 || (significant.length === 20 && significant <= '18446744073709551615');
}

/** The message for an invalid version, with the error of Go's parser. */
export function resourceVersionFault(text: string): string {
  return `resourceVersion: Invalid value: ${quote(text)}: ${parseFault(text)}`;
}

export function parseFault(text: string): string {
  const isNumber = /^\d+$/.test(text);
  return `strconv.ParseUint: parsing ${quote(text)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`;
}
