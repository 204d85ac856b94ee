/** What the server sets before it validates and writes a definition. Edits it in place. */
import { copyJson, jsonEquals, nextGeneration, type JsonValue } from '@flotilla/kube';
import type {
  CustomResourceDefinition,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionVersion,
} from './custom-resource-definition.ts';
import { dropEmptyKeywords } from './schemas/empty-keywords.ts';

export function prepareForCreate(definition: CustomResourceDefinition): void {
  definition.metadata.generation = 1;
  const empty = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
  definition.status = withStorageVersion(empty, definition);
}

export function prepareForUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): void {
  definition.status = withStorageVersion(old.status ?? {}, definition);
  if (!isSameSpec(definition, old)) definition.metadata.generation = nextGeneration(old.metadata);
}

/** An empty list equals an absent one. */
function isSameSpec(definition: CustomResourceDefinition, { spec }: CustomResourceDefinition): boolean {
  const isEqual = (other: CustomResourceDefinition): boolean =>
    jsonEquals(other.spec as unknown as JsonValue, spec as unknown as JsonValue);
  if (isEqual(definition)) return true;
  const plain = { ...definition, spec: copyJson(definition.spec as unknown as JsonValue) as unknown as DefinitionSpec };
  dropEmptyKeywords(plain);
  return isEqual(plain);
}

/** Metadata stays as sent: Kubernetes' controllers remove their finalizer this way. */
export function prepareForStatusUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): void {
  definition.spec = old.spec;
}

/** Objects may be stored in that version from now on. */
function withStorageVersion(status: DefinitionStatus, { spec }: CustomResourceDefinition): DefinitionStatus {
  const storage = storageVersionOf(spec.versions ?? []);
  const stored = status.storedVersions ?? [];
  if (storage === undefined || stored.includes(storage)) return { ...status };
  return { ...status, storedVersions: [...stored, storage] };
}

const httpsPort = 443;

/** Defaults of a decoded definition, set in place. */
export function setDefinitionDefaults(definition: CustomResourceDefinition): void {
  const { spec } = definition;
  const { names } = spec;
  if ((names.singular ?? '') === '' && names.kind !== '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= httpsPort;
  if ((definition.status?.storedVersions ?? []).length === 0) {
    const storage = storageVersionOf(spec.versions ?? []);
    if (storage !== undefined) definition.status = { ...definition.status, storedVersions: [storage] };
  }
}

/** The first one that is marked. Validation checks later that there is only one. */
function storageVersionOf(versions: readonly DefinitionVersion[]): string | undefined {
  return versions.find(({ storage }) => storage)?.name;
}
