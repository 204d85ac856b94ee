/**
 * Server-side apply removes a field that a manifest no longer has, but only if nobody else wants it. What we once created or
 * patched counts as wanted by somebody else: the server tells an applier from an updater of the same name. So our updates
 * are declared to have been applies.
 */
import { isJsonObject, setOwn, type JsonObject, type ManagedFieldsEntry } from '@flotilla/kube';
import { applyManager } from '../../merge/plan-apply.ts';

/** Who manages what when all that is ours was applied. Undefined when it is so already. */
export function claimedFields(
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): ManagedFieldsEntry[] | undefined {
  const updated = managedFields?.find((entry) => isOurs(entry, 'Update'));
  if (managedFields === undefined || updated === undefined) return undefined;
  const others = managedFields.filter((entry) => entry !== updated);
  const applied = others.find((entry) => isOurs(entry, 'Apply'));
  const claimed = {
    ...updated,
    ...applied,
    operation: 'Apply',
    fieldsV1: union(applied?.fieldsV1 ?? {}, updated.fieldsV1 ?? {}),
  };
  return [claimed, ...others.filter((entry) => entry !== applied)];
}

function isOurs({ manager, operation, subresource = '' }: ManagedFieldsEntry, as: 'Apply' | 'Update'): boolean {
  return manager === applyManager && operation === as && subresource === '';
}

/** All fields of both sets; a set is a tree of objects. */
function union(a: JsonObject, b: JsonObject): JsonObject {
  const both: JsonObject = { ...a };
  for (const [field, below] of Object.entries(b)) {
    const inA = Object.hasOwn(a, field) ? a[field] : undefined;
    const isInBoth = isJsonObject(inA) && isJsonObject(below);
    setOwn(both, field, isInBoth ? union(inA, below) : (below ?? {}));
  }
  return both;
}
