/** What the schema says of one field, and Kubernetes' sentences for fields that it does not know. */
import type { PatchField, PatchSchema, PatchStrategy } from './patch-schema.ts';
import { unexpected } from './strategic-directives.ts';

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
