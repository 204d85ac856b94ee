/**
 * The definitions of our kinds. Their schemas are loaded and built at the first call: most programs only need the names and
 * types of kinds, and should start without them.
 */
import type { CustomResourceDefinition } from '@flotilla/schema';

export async function definitions(): Promise<readonly CustomResourceDefinition[]> {
  const { allDefinitions } = await import('./all-definitions.ts');
  return allDefinitions;
}

/** Those that a hub needs: all but those of members. */
export async function hubDefinitions(): Promise<readonly CustomResourceDefinition[]> {
  const members = await memberDefinitions();
  return (await definitions()).filter((definition) => !members.includes(definition));
}

/** Those that a member needs. */
export async function memberDefinitions(): Promise<readonly CustomResourceDefinition[]> {
  const { appliedWorkDefinition } = await import('./work/work-schema.ts');
  return [appliedWorkDefinition];
}
