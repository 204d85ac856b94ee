import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { StructType } from '../table/struct-type.ts';
import { DecodeState, type DecodeProblems } from './decode-state.ts';
import { structReaderOf } from './readers.ts';

interface DecodeOptions {
  /**
   * Keeps empty lists and maps of fields that are always written. Kubernetes does so for kinds that it stores as JSON
   * (CustomResourceDefinition, APIService); the others come back from the store as null.
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
 * What Go writes after it decoded the value. Fields have struct order, empty ones are omitted as their tags say,
 * unknown ones are dropped. Times, quantities and bytes have their canonical form.
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

/** What Go writes for the zero value of a struct. */
export function emptyObject(type: StructType): JsonObject {
  return structReaderOf(type).zero() as JsonObject;
}
