/**
 * The definitions of our kinds. Schemas are loaded on first use: most programs only need the names and types of kinds,
 * and start faster without them.
 */
import type { CustomResourceDefinition } from '@flotilla/schema';

export async function definitions(): Promise<readonly CustomResourceDefinition[]> {
  const { allDefinitions } = await import('./all-definitions.ts');
  return allDefinitions;
}

/** The definitions for a hub: all except those of members. */
export async function hubDefinitions(): Promise<readonly CustomResourceDefinition[]> {
  const members = await memberDefinitions();
  return (await definitions()).filter((definition) => !members.includes(definition));
}

export async function memberDefinitions(): Promise<readonly CustomResourceDefinition[]> {
  const { appliedWorkDefinition } = await import('./work/work-schema.ts');
  return [appliedWorkDefinition];
}

/** Definitions of Azure's fleet networking: EndpointSliceExport, InternalServiceExport and InternalServiceImport. */
export async function networkingDefinitions(): Promise<readonly CustomResourceDefinition[]> {
  const { allNetworkingDefinitions } = await import('./networking/networking-definitions.ts');
  return allNetworkingDefinitions;
}
