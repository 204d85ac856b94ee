import type { PatchSchemaLookup } from './three-way-patch.ts';

/** KubeFleet's agent takes for built in what client-go's own scheme has, and these groups are not in it. */
const unregisteredGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Loads the field table of the built-in kinds, which an agent needs only from its first patch on. */
export async function loadPatchSchemas(): Promise<PatchSchemaLookup> {
  const { patchSchemaOfKind } = await import('@flotilla/builtins/patch-schemas');
  return (kind) => (unregisteredGroups.has(kind.group) ? undefined : patchSchemaOfKind(kind));
}
