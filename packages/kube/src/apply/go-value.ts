/** JSON values as Go's fmt prints them in messages of structured merge diff. */
import { compareBytes, quote } from '../go/format.ts';
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';

/** `%T` */
export function goTypeOf(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  return isInteger(value) ? 'int64' : 'float64';
}

/** `%#v` of structured merge diff's wrapper around the value. */
export function goSyntaxOfWrapped(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${goSyntax(value)}}`;
}

/** `%v` of that wrapper. */
export function goTextOfWrapped(value: JsonValue): string {
  return `&{${goText(value)}}`;
}

function goSyntax(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return goText(value);
  return `map[string]interface {}{${entries(value)
    .map(([key, entry]) => `${quote(key)}:${goSyntax(entry)}`)
    .join(', ')}}`;
}

function goText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<nil>';
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isJsonObject(value)) {
    const members = entries(value).map(([key, entry]) => `${key}:${goText(entry)}`);
    return `map[${members.join(' ')}]`;
  }
  if (value instanceof JsonFloat) return goFloat(value.value);
  return isInteger(value) ? String(value) : goFloat(Number(value));
}

function isInteger(value: number | bigint | JsonFloat): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

/** `%v` of a float64: the shortest digits, with an exponent from 1e6 on. */
function goFloat(value: number): string {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function entries(map: JsonObject): [string, JsonValue][] {
  return Object.entries(map)
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
    .sort(([a], [b]) => compareBytes(a, b));
}
