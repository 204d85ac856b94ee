import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { StructType } from '../table/struct-type.ts';
import { DecodeState, type DecodeProblems } from './decode-state.ts';
import { structReaderOf } from './readers.ts';

interface DecodeOptions {
  /**
   * Keep empty lists and maps that are always written as they are. Kubernetes does where it stores JSON
   * (CustomResourceDefinition, APIService); elsewhere they come back from the store as null.
   */
  readonly keepsEmpty?: boolean;
  /** Read as Kubernetes converts Go maps, not JSON: what it does after a strategic merge patch and an apply. */
  readonly isConverted?: boolean;
}

export interface Decoded {
  /** A fresh object in wire form. */
  readonly object: JsonObject;
  readonly problems: DecodeProblems;
}

/**
 * What Go would write after reading the value into the type: fields in struct order, empty ones left out as their tags
 * say, times, quantities and bytes in their canonical spelling, unknown fields dropped.
 */
export function decodeTyped(
  type: StructType,
  value: JsonValue,
  { keepsEmpty = false, isConverted = false }: DecodeOptions = {},
): Decoded {
  const state = new DecodeState(keepsEmpty, isConverted);
  const object = structReaderOf(type).read(value, state) as JsonObject;
  return { object, problems: state.problems };
}

/** What Go writes for a struct that nobody filled. */
export function emptyObject(type: StructType): JsonObject {
  return structReaderOf(type).zero() as JsonObject;
}
