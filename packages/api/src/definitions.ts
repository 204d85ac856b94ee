import type { CustomResourceDefinition } from '@flotilla/schema';

/**
 * The definitions of all our kinds. Their schemas are loaded and built at the first call: most programs only need the names
 * and types of kinds, and should start without them.
 */
export async function definitions(): Promise<readonly CustomResourceDefinition[]> {
  const { allDefinitions } = await import('./all-definitions.ts');
  return allDefinitions;
}
