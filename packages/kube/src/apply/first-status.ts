/** Recognises the first status of an object, of which the updater owns all fields and takes none from others. */
import { compareBytes } from '../go/format.ts';
import { jsonEquals } from '../json/json-equals.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { onceFor } from '../once-for.ts';
import { setOfPaths } from './field-set.ts';
import type { ManagedKind } from './managed-kind.ts';
import { fieldPath } from './path-element.ts';

/** What a write to the status endpoint adds, beside a status to an object that has a blank one. */
export interface FirstStatus {
  /** Names of annotations, in the order of FieldsV1. The object has others. */
  readonly annotations: readonly string[];
}

/**
 * Undefined if the write changes anything else. Otherwise its fields depend on what it adds alone, and the entries of the other
 * managers stay. Undefined may also mean that this function cannot tell.
 */
export function firstStatusOf(kind: ManagedKind, live: KubeObject, object: KubeObject): FirstStatus | undefined {
  const { status } = object;
  if (kind.subresource !== 'status' || !isJsonObject(status)) return undefined;
  if (!jsonEquals(live['status'] ?? null, kind.blank['status'] ?? null)) return undefined;
  const resets = fieldsThatAreReset(kind);
  if (!hasSameContent(resets.spec, live, object)) return undefined;
  return resets.metadata ? { annotations: [] } : addedToMetadata(live, object);
}

/** Of the fields that are neither status nor metadata. */
function hasSameContent(resetsSpec: boolean, live: KubeObject, object: KubeObject): boolean {
  const isSame = (field: string): boolean => {
    if (field === 'apiVersion' || field === 'kind' || field === 'status' || field === 'metadata') return true;
    // Even a field that is reset must have the right type.
    if (object[field] === undefined) return field === 'spec' && resetsSpec;
    return jsonEquals(object[field], live[field] ?? null);
  };
  return Object.keys(live).every(isSame) && Object.keys(object).every(isSame);
}

/** Annotations, as the Deployment controller's with the revision. Undefined if the metadata changes otherwise. */
function addedToMetadata(live: KubeObject, object: KubeObject): FirstStatus | undefined {
  const { managedFields: _ofLive, annotations: before = {}, ...metadata } = live.metadata;
  const { managedFields: _sent, annotations: after = {}, ...sent } = object.metadata;
  if (!jsonEquals(metadata, sent)) return undefined;
  const annotations: string[] = [];
  for (const name in after) {
    if (!Object.hasOwn(before, name)) annotations.push(name);
    else if (before[name] !== after[name]) return undefined;
  }
  const known = Object.keys(before).length;
  if (Object.keys(after).length !== known + annotations.length) return undefined;
  // The first annotation comes with the map that holds it.
  if (annotations.length > 0 && known === 0) return undefined;
  return { annotations: annotations.sort(compareBytes) };
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
