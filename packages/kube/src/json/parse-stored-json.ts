import { parseJson } from './parse-json.ts';
import type { JsonValue } from './value.ts';

/** More digits than a double is sure to hold, or a whole float: the only things that the engine reads otherwise than we do. */
const numberNeedingExactParser = /(?:^|[[:,])-?\d(?:\d{15}|\.?\d*e\+)/;

/**
 * The fast reader, for texts that `stringifyJson` printed: those repeat no key, have no odd spelling, and are not too deep.
 * For them it gives what `parseJson` gives.
 */
export function parseStoredJson(text: string): JsonValue {
  return numberNeedingExactParser.test(text) ? parseJson(text).value : (JSON.parse(text) as JsonValue);
}
