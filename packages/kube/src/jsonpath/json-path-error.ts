/** A path that cannot be read, or cannot be followed in the value at hand. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
