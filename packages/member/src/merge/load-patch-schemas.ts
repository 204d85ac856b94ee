import type { PatchSchemaLookup } from './three-way-patch.ts';

/** KubeFleet's agent treats kinds of client-go's scheme as built in. The scheme lacks these groups. */
const unregisteredGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Loads the field table of the built-in kinds lazily, because an agent needs it for patches only. */
export async function loadPatchSchemas(): Promise<PatchSchemaLookup> {
  const { patchSchemaOfKind } = await import('@flotilla/builtins/patch-schemas');
  return (kind) => (unregisteredGroups.has(kind.group) ? undefined : patchSchemaOfKind(kind));
}
