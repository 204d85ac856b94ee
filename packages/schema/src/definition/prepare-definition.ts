/** What the server sets itself before a definition is validated and written. All of it in place. */
import { copyJson, jsonEquals, nextGeneration, type JsonValue } from '@flotilla/kube';
import type { CustomResourceDefinition, DefinitionSpec, DefinitionStatus } from './custom-resource-definition.ts';
import { dropEmptyKeywords } from './schemas/empty-keywords.ts';
import { storageVersionOf } from './definition-defaults.ts';

export function prepareForCreate(definition: CustomResourceDefinition): void {
  definition.metadata.generation = 1;
  const empty = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
  definition.status = withStorageVersion(empty, definition);
}

export function prepareForUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): void {
  definition.status = withStorageVersion(old.status ?? {}, definition);
  if (!isSameSpec(definition, old)) definition.metadata.generation = nextGeneration(old.metadata);
}

/** An empty list says as much as none. */
function isSameSpec(definition: CustomResourceDefinition, { spec }: CustomResourceDefinition): boolean {
  const isEqual = (other: CustomResourceDefinition): boolean =>
    jsonEquals(other.spec as unknown as JsonValue, spec as unknown as JsonValue);
  if (isEqual(definition)) return true;
  const plain = { ...definition, spec: copyJson(definition.spec as unknown as JsonValue) as unknown as DefinitionSpec };
  dropEmptyKeywords(plain);
  return isEqual(plain);
}

/** Metadata stays as it was sent: Kubernetes' own controllers remove their finalizer this way. */
export function prepareForStatusUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): void {
  definition.spec = old.spec;
}

/** From now on objects may be stored in that version. */
function withStorageVersion(status: DefinitionStatus, { spec }: CustomResourceDefinition): DefinitionStatus {
  const storage = storageVersionOf(spec.versions ?? []);
  const stored = status.storedVersions ?? [];
  if (storage === undefined || stored.includes(storage)) return { ...status };
  return { ...status, storedVersions: [...stored, storage] };
}
