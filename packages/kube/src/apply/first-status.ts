/** Recognises the first status of an object, of which the updater owns all fields and takes none from others. */
import { jsonEquals } from '../json/json-equals.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { onceFor } from '../once-for.ts';
import { setOfPaths } from './field-set.ts';
import type { ManagedKind } from './managed-kind.ts';
import { fieldPath } from './path-element.ts';
import { withoutManagedFields } from './typed-object.ts';

/**
 * Whether a write to the status endpoint changes nothing but a status that is blank. If so, its fields depend on the status alone, and
 * the entries of the other managers stay. False says nothing.
 */
export function isFirstStatus(kind: ManagedKind, live: KubeObject, object: KubeObject): boolean {
  const { status } = object;
  if (kind.subresource !== 'status' || !isJsonObject(status)) return false;
  return jsonEquals(live['status'] ?? null, kind.blank['status'] ?? null) && changesOnlyStatus(kind, live, object);
}

function changesOnlyStatus(kind: ManagedKind, live: KubeObject, object: KubeObject): boolean {
  const resets = fieldsThatAreReset(kind);
  const isSame = (field: string): boolean => {
    if (field === 'apiVersion' || field === 'kind' || field === 'status') return true;
    if (field === 'metadata') return resets.metadata || isSameMetadata(live, object);
    // Even a field that is reset must have the right type.
    if (object[field] === undefined) return field === 'spec' && resets.spec;
    return jsonEquals(object[field], live[field] ?? null);
  };
  return Object.keys(live).every(isSame) && Object.keys(object).every(isSame);
}

function isSameMetadata(live: KubeObject, object: KubeObject): boolean {
  return jsonEquals(withoutManagedFields(live)['metadata'] ?? null, withoutManagedFields(object)['metadata'] ?? null);
}

const fieldsThatAreReset = onceFor(({ writable }: ManagedKind) => {
  const isReset = (field: string): boolean => writable?.(setOfPaths([fieldPath(field)])).length === 0;
  return { metadata: isReset('metadata'), spec: isReset('spec') };
});

/** Whether a write of a first status leaves this entry as it is. */
export function isUntouched(entry: ManagedFieldsEntry, kind: ManagedKind, updater: string): boolean {
  const { manager, operation, apiVersion, fieldsType, fieldsV1, subresource } = entry;
  if (apiVersion !== kind.apiVersion || fieldsType !== 'FieldsV1' || !hasFields(fieldsV1)) return false;
  if (Object.hasOwn(fieldsV1, 'f:status')) return false;
  return operation === 'Apply' || (operation === 'Update' && (subresource !== 'status' || manager !== updater));
}

function hasFields(fieldsV1: ManagedFieldsEntry['fieldsV1']): fieldsV1 is JsonObject {
  return isJsonObject(fieldsV1) && Object.keys(fieldsV1).length > 0;
}
