import { setOwn } from './own-property.ts';
import { JsonFloat, type JsonObject, type JsonValue } from './value.ts';

type Container = JsonObject | JsonValue[];

/** A copy that shares nothing with its source. Not recursive, because users decide how deep JSON is. */
export function copyJson(value: JsonValue): JsonValue {
  if (!isContainer(value)) return value;
  const root = emptyLike(value);
  const pending: [source: Container, copy: Container][] = [[value, root]];
  const copyShallowly = (child: JsonValue): JsonValue => {
    if (!isContainer(child)) return child;
    const copy = emptyLike(child);
    if (!isEmpty(child)) pending.push([child, copy]); // the leaves of managed fields are empty
    return copy;
  };
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [source, copy] = pair;
    if (Array.isArray(source)) {
      for (const child of source) (copy as JsonValue[]).push(copyShallowly(child));
    } else {
      for (const key of Object.keys(source)) {
        const child = source[key];
        if (child !== undefined) setOwn(copy as JsonObject, key, copyShallowly(child));
      }
    }
  }
  return root;
}

function isContainer(value: JsonValue): value is Container {
  return typeof value === 'object' && value !== null && !(value instanceof JsonFloat);
}

function emptyLike(value: Container): Container {
  return Array.isArray(value) ? [] : {};
}

function isEmpty(container: Container): boolean {
  if (Array.isArray(container)) return container.length === 0;
  for (const _ in container) return false;
  return true;
}
