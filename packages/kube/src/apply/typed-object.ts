import type { JsonObject } from '../json/value.ts';
import type { KubeObject } from '../object.ts';
import type { ManagedKind } from './managed-kind.ts';
import type { MergeType } from './merge-type.ts';
import { validateTyped } from './validate-typed.ts';

/** An object in one version, with its type. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly type: MergeType;
  readonly value: JsonObject;
}

export function typedObject(kind: ManagedKind, value: JsonObject): TypedObject {
  const type = kind.typeOf(kind.apiVersion);
  if (type === undefined) throw new TypeError(`${kind.kind} has no type in ${kind.apiVersion}`);
  return { apiVersion: kind.apiVersion, type, value };
}

/**
 * Converts to another version; undefined if that is not served any more. Throws `SchemaError` if the result has
 * undeclared fields.
 */
export function inVersion(kind: ManagedKind, object: TypedObject, apiVersion: string): TypedObject | undefined {
  if (object.apiVersion === apiVersion) return object;
  const type = kind.typeOf(apiVersion);
  const value = type === undefined ? undefined : kind.convert?.(object.value, apiVersion);
  if (type === undefined || value === undefined) return undefined;
  validateTyped(type, value, { allowDuplicates: false });
  return { apiVersion, type, value };
}

/** managedFields itself has no owner. */
export function withoutManagedFields(object: KubeObject): JsonObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
