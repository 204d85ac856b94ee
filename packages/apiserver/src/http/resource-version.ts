import { quote } from '@flotilla/kube';

/** Undefined: not a resource version. Versions are unsigned integers; empty and `0` both read as 0. */
export function parseResourceVersion(text: string): number | undefined {
  if (text === '') return 0;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The sentence after the field's name: what Go's parser had against it. */
export function resourceVersionFault(text: string): string {
  const digits = /^\d+$/.test(text);
  return `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${digits ? 'value out of range' : 'invalid syntax'}`;
}
