import { isJsonObject, JsonFloat, type JsonValue } from '@flotilla/kube';

/** Semantic equality of Kubernetes: an empty list and null equal an absent value. */
export function semanticEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) return isAbsent(a) ? isAbsent(b) : equalLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return equalObjects(a, b);
  if (a instanceof JsonFloat && b instanceof JsonFloat) return a.value === b.value;
  return isAbsent(a) && isAbsent(b);
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function equalLists(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!semanticEqual(a[i], b[i])) return false;
  return true;
}

function equalObjects(
  a: Readonly<Record<string, JsonValue | undefined>>,
  b: Readonly<Record<string, JsonValue | undefined>>,
): boolean {
  for (const key in a) if (!semanticEqual(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false;
  for (const key in b) if (!Object.hasOwn(a, key) && !isAbsent(b[key])) return false;
  return true;
}
