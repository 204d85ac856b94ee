import { unexpected } from './strategic-directives.ts';

/**
 * What a strategic merge patch needs to know of a kind's fields. The table of built-in kinds has it. Custom
 * resources have not, which is why Kubernetes refuses strategic patches for them.
 */
export interface PatchSchema {
  /** Undefined for unknown fields and for entries of plain maps. */
  field(name: string): PatchField | undefined;
  /** Go's name of the struct, for errors: `PodSpec`. */
  readonly name?: string;
}

export interface PatchField {
  readonly strategies: readonly PatchStrategy[];
  /** For lists of objects with strategy `merge`: the field that identifies an element. */
  readonly mergeKey?: string;
  /** Schema of the struct, the list elements or the map values. Undefined for scalars and untyped JSON. */
  readonly schema?: PatchSchema;
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

export function fieldOf(schema: PatchSchema | undefined, key: string): PatchField {
  const field = schema?.field(key);
  if (field !== undefined) return field;
  if (schema?.name === undefined) {
    throw unexpected('merging an object in json but data type is not struct, instead is: map');
  }
  throw unexpected(`unable to find api field in struct ${schema.name} for the json field "${key}"`);
}

export function strategyOf({ strategies }: PatchField): PatchStrategy | undefined {
  return strategies.find((strategy) => strategy !== 'retainKeys');
}
