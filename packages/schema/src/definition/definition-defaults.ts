import type { CustomResourceDefinition, DefinitionVersion } from './custom-resource-definition.ts';

const httpsPort = 443;

/** What the server fills in when a definition is read, in place. */
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

/** The first that is marked; that there is only one is checked later. */
export function storageVersionOf(versions: readonly DefinitionVersion[]): string | undefined {
  return versions.find(({ storage }) => storage)?.name;
}
