import {
  compileJsonPath,
  goPrint,
  JsonPathError,
  type JsonPath,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import type { DefinitionVersion } from '@flotilla/schema';

/** The selectable fields of a version: their labels, and how to find their values. */
export interface SelectableFields {
  readonly labels: readonly string[];
  readonly valuesOf: (object: KubeObject) => Record<string, string>;
}

export function selectableFieldsOf({
  selectableFields = [],
}: Pick<DefinitionVersion, 'selectableFields'>): SelectableFields {
  const fields = (selectableFields ?? []).map(({ jsonPath }) => ({
    label: jsonPath.replace(/^\./, ''),
    path: compileJsonPath(jsonPath),
  }));
  return {
    labels: fields.map(({ label }) => label),
    valuesOf: (object) => Object.fromEntries(fields.map(({ label, path }) => [label, textAt(path, object)])),
  };
}

/** Formatted as by Go; empty for a field that is missing, null or not reachable. */
function textAt(path: JsonPath, object: KubeObject): string {
  const [value] = valuesAt(path, object);
  return value === undefined || value === null ? '' : goPrint(value);
}

function valuesAt(path: JsonPath, object: KubeObject): JsonValue[] {
  try {
    return path(object);
  } catch (error) {
    if (error instanceof JsonPathError) return [];
    throw error;
  }
}
