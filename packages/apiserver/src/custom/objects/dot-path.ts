/** Simple paths of definitions: `.spec.replicas`. Values of other types cause the errors of Go's accessors. */
import { goPrint, isJsonObject, JsonFloat, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';

export function fieldsOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

export type Found<T> = { readonly value: T | undefined } | { readonly error: string };

export function integerAt(object: JsonObject, path: string): Found<number | bigint> {
  return typedAt(object, path, 'int64', (value) =>
    typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)) ? value : undefined,
  );
}

export function stringAt(object: JsonObject, path: string): Found<string> {
  return typedAt(object, path, 'string', (value) => (typeof value === 'string' ? value : undefined));
}

function typedAt<T>(
  object: JsonObject,
  path: string,
  wanted: string,
  read: (value: JsonValue) => T | undefined,
): Found<T> {
  const fields = fieldsOf(path);
  let value: JsonValue = object;
  for (const [depth, field] of fields.entries()) {
    if (!isJsonObject(value)) {
      if (value === null) return { value: undefined };
      return accessorError(fields.slice(0, depth + 1), value, 'map[string]interface{}');
    }
    const next: JsonValue | undefined = Object.hasOwn(value, field) ? value[field] : undefined;
    if (next === undefined) return { value: undefined };
    value = next;
  }
  const found = read(value);
  return found === undefined ? accessorError(fields, value, wanted) : { value: found };
}

function accessorError(fields: readonly string[], value: JsonValue, wanted: string): { error: string } {
  return {
    error: `.${fields.join('.')} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`,
  };
}

function goTypeOf(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (value instanceof JsonFloat) return 'float64';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'map[string]interface {}';
}

/** Creates missing objects on the path. */
export function setAt(object: JsonObject, path: string, value: JsonValue): void {
  const fields = fieldsOf(path);
  const last = fields.pop() ?? '';
  let holder = object;
  for (const field of fields) {
    const inner = Object.hasOwn(holder, field) ? holder[field] : undefined;
    const next: JsonObject = isJsonObject(inner) ? inner : {};
    if (next !== inner) setOwn(holder, field, next);
    holder = next;
  }
  setOwn(holder, last, value);
}
