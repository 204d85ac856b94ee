import type { JsonSchema } from '../json-schema.ts';
import { structuralKeywords } from './structural-keywords.ts';

/** `anyOf: [{type: integer}, {type: string}]` and nothing else: the one place where a type may stand in a junctor. */
export function hasIntOrStringChoice({ anyOf }: JsonSchema): boolean {
  return anyOf?.length === 2 && isJustType(anyOf[0], 'integer') && isJustType(anyOf[1], 'string');
}

/** The same as the first of several demands: `allOf: [{anyOf: […]}, …]`. */
export function hasIntOrStringDemand({ allOf }: JsonSchema): boolean {
  const first = allOf?.[0];
  return first !== undefined && hasIntOrStringChoice(first);
}

function isJustType(schema: JsonSchema | undefined, type: string): boolean {
  return schema?.type === type && structuralKeywords(schema).length === 1;
}
