import type { JsonValue } from '../json/value.ts';
import { parseJsonPath } from './parse-json-path.ts';

/** Finds everything that a path leads to; throws `JsonPathError` where it cannot be followed. Missing keys lead nowhere. */
export type JsonPath = (value: JsonValue) => JsonValue[];

/**
 * Paths as kubectl and printer columns write them: `.status.conditions[?(@.type=="Ready")].status`, without braces. It is
 * client-go's dialect, which is older than any standard.
 */
export function compileJsonPath(path: string): JsonPath {
  const steps = parseJsonPath(path);
  return (value) => {
    let values: JsonValue[] = [value];
    for (const step of steps) values = step(values);
    return values;
  };
}
