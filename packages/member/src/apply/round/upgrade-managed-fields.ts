/**
 * Server-side apply removes a field that left the manifest only if no other manager has it. The server treats the Update
 * entry of a manager as another manager than its Apply entry. So the agent's Update entry is merged into its Apply entry.
 */
import { isJsonObject, setOwn, type JsonObject, type ManagedFieldsEntry } from '@flotilla/kube';
import { applyManager } from '../../merge/plan-apply.ts';

/** The managed fields with the agent's Update entry merged into its Apply entry. Undefined if there is no Update entry. */
export function upgradedManagedFields(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): ManagedFieldsEntry[] | undefined {
  const updated = managedFields?.find((entry) => isOurs(entry, 'Update'));
  if (managedFields === undefined || updated === undefined) return undefined;
  const others = managedFields.filter((entry) => entry !== updated);
  const applied = others.find((entry) => isOurs(entry, 'Apply'));
  const upgraded = {
    ...updated,
    ...applied,
    operation: 'Apply',
    fieldsV1: union(applied?.fieldsV1 ?? {}, updated.fieldsV1 ?? {}),
  };
  return [upgraded, ...others.filter((entry) => entry !== applied)];
}

function isOurs(entry: ManagedFieldsEntry, operation: 'Apply' | 'Update'): boolean {
  return entry.manager === applyManager && entry.operation === operation && (entry.subresource ?? '') === '';
}
function union(a: JsonObject, b: JsonObject): JsonObject {
  const both: JsonObject = { ...a };
  for (const [field, below] of Object.entries(b)) {
    const inA = Object.hasOwn(a, field) ? a[field] : undefined;
    const isInBoth = isJsonObject(inA) && isJsonObject(below);
    setOwn(both, field, isInBoth ? union(inA, below) : (below ?? {}));
  }
  return both;
}
