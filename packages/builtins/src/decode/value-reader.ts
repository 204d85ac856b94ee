import type { JsonValue } from '@flotilla/kube';
import type { DecodeState } from './decode-state.ts';

/** Reads JSON into one Go type, and returns what Go would write for it. Compiled once per type. */
export interface ValueReader {
  /** Never throws: records in the state what does not fit, and returns the zero value for it. */
  read(value: JsonValue, state: DecodeState): JsonValue;
  /** What Go writes where nothing was read. Returns a fresh value each time. */
  zero(): JsonValue;
  readonly omits: Omission;
}

/** What `omitempty` omits: a nil pointer, an empty list, map or bytes, a zero scalar, or nothing (structs). */
export type Omission = 'nil' | 'empty' | 'zero' | 'nothing';
