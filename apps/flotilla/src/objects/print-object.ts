import { inKeyOrder, printYaml, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import { jsonText } from '../terminal/print-list.ts';

export type ObjectFormat = 'json' | 'yaml';

/** Objects for a user to read or to keep: one alone, several as a List. Managed fields are left out, as kubectl does. */
export function objectsText(objects: readonly KubeObject[], format: ObjectFormat, isList: boolean): string {
  const items = objects.map(withoutManagedFields);
  const [first] = items;
  const value: JsonValue =
    isList || first === undefined
      ? { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } }
      : first;
  const ordered = inKeyOrder(value) as JsonObject;
  // kubectl indents by four.
  return format === 'yaml' ? printYaml(ordered).trimEnd() : jsonText(ordered).replaceAll(/^ +/gm, '$&$&');
}

function withoutManagedFields(object: KubeObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
