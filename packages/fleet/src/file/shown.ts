import { isJsonObject, JsonFloat, stringifyJson, type JsonValue } from '@flotilla/kube';

const maxShown = 60;

/** The value as the author wrote it, shortened. */
export function shown(value: JsonValue): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return stringifyJson(value.length > maxShown ? `${value.slice(0, maxShown)}…` : value);
  const number = numberIn(value);
  return number === undefined || isJsonObject(value) ? 'an object' : String(number);
}

export function numberIn(value: JsonValue): number | undefined {
  if (value instanceof JsonFloat) return value.value;
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
