import type { JsonValue } from '@flotilla/kube';
import type { DecodeState } from './decode-state.ts';

/** Reads JSON into one Go type, and gives back what Go would write for it. Compiled once per type. */
export interface ValueReader {
  /** Never fails: what does not fit is noted in the state, and read as the zero value. */
  read(value: JsonValue, state: DecodeState): JsonValue;
  /** What Go writes where nothing was read; a fresh value each time. */
  zero(): JsonValue;
  readonly omits: Omission;
}

/** What `omitempty` leaves out: a nil pointer, an empty list, map or bytes, a zero scalar, or nothing (structs). */
export type Omission = 'nil' | 'empty' | 'zero' | 'nothing';
