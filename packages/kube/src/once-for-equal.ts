import { stringifyJson } from './json/stringify-json.ts';
import { isReadAsPrinted, type JsonValue } from './json/value.ts';
import { LruCache } from './lru-cache.ts';

/** Longer texts would take too much memory. */
const maxTextLength = 8192;

/**
 * Caches a result by the text of a value, for the `capacity` texts that were used last. For results that take much longer than to print
 * the value. Nobody may change a result.
 */
export function onceForEqual<Value extends JsonValue, Made>(
  make: (value: Value) => Made,
  capacity: number,
): (value: Value) => Made {
  const known = new LruCache<{ readonly made: Made }>(capacity);
  return (value) => {
    // The text of `1.0` is that of `1`.
    if (!isReadAsPrinted(value)) return make(value);
    const text = stringifyJson(value);
    if (text.length > maxTextLength) return make(value);
    let entry = known.get(text);
    if (entry === undefined) known.set(text, (entry = { made: make(value) }));
    return entry.made;
  };
}
