import { apiVersionOf, type GroupVersionKind } from '@flotilla/kube';
import { servedGroupVersions, type ServedGroupVersion, type ServedResource } from '../resources/served-resource.ts';
import type { StructType } from '../table/struct-type.ts';
import { knownApiVersions, structType, typeOfKind } from '../table/type-table.ts';
import { modelSchema, referredModels, type ModelType, type OpenApiForm, type OpenApiSchema } from './model-schema.ts';

interface SchemaOptions {
  readonly form: OpenApiForm;
  /** The group versions that DeleteOptions and WatchEvent are listed for. */
  readonly sharedBy: readonly string[];
}

/** The schemas of a version 3 document: those of the group version's kinds, and all that they refer to. */
export function openApiSchemas(apiVersion: string): Record<string, OpenApiSchema> {
  const served = servedGroupVersions.find((candidate) => apiVersionOf(candidate) === apiVersion);
  if (served === undefined) return {};
  return schemasOf(rootsOf(served), { form: 'v3', sharedBy: ['v1', apiVersion] });
}

/** The definitions of the version 2 document, which contains all group versions. */
export function openApiDefinitions(): Record<string, OpenApiSchema> {
  const roots = [...documentRoots(), ...servedGroupVersions.flatMap(rootsOf)];
  return schemasOf(roots, { form: 'v2', sharedBy: registeredApiVersions() });
}

function documentRoots(): StructType[] {
  const meta = ['APIGroup', 'APIGroupList', 'APIVersions'].map((name) => structType('meta/v1', name));
  return [...meta, structType('version', 'Info')];
}

/** Groups whose kinds clients do not register. */
const serverGroups = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** The group versions for which documents of custom resources list DeleteOptions: those that client-go registers. */
export function clientApiVersions(): string[] {
  return registeredApiVersions().filter((apiVersion) => !serverGroups.has(apiVersion.split('/')[0] ?? ''));
}

/** Where kube-apiserver registers the meta kinds. This differs slightly from the versions in the published modules. */
function registeredApiVersions(): string[] {
  return [
    ...knownApiVersions().filter((apiVersion) => !apiVersion.startsWith('apidiscovery.k8s.io/')),
    'apiextensions.k8s.io/v1beta1',
    'apiregistration.k8s.io/v1beta1',
    'authentication.k8s.io/v1alpha1',
  ];
}

/** The schemas of these types and of all that they refer to, by name. */
export function schemasOf(roots: readonly ModelType[], options: SchemaOptions): Record<string, OpenApiSchema> {
  const schemas = new Map<string, OpenApiSchema>();
  const pending = [...roots];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (schemas.has(type.modelName)) continue;
    schemas.set(type.modelName, { ...modelSchema(type, options.form), ...kindExtension(type, options) });
    pending.push(...referredModels(type));
  }
  return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function rootsOf(served: ServedGroupVersion): StructType[] {
  return [structType('meta/v1', 'APIResourceList'), ...served.resources.flatMap(resourceRoots)];
}

function resourceRoots(resource: ServedResource): StructType[] {
  const { group, version, kind, verbs, subresources } = resource;
  const kinds: GroupVersionKind[] = [{ group, version, kind }];
  if (verbs.includes('list')) kinds.push({ group, version, kind: `${kind}List` });
  kinds.push(...subresources.filter((subresource) => !subresource.kind.endsWith('Options')));
  const roots = kinds.flatMap((gvk) => typeOfKind(gvk) ?? []);
  const meta = (name: string): StructType => structType('meta/v1', name);
  if (verbs.includes('delete')) roots.push(meta('DeleteOptions'), meta('Status'));
  if (verbs.includes('patch')) roots.push(meta('Patch'));
  if (verbs.includes('watch')) roots.push(meta('WatchEvent'));
  return roots;
}

/** Kinds that every group uses as request or response bodies. */
const sharedKinds = new Set(['DeleteOptions', 'WatchEvent']);

function kindExtension(type: ModelType, { sharedBy }: SchemaOptions): OpenApiSchema {
  if (type.kind !== 'struct' || !type.isKind) return {};
  const versions = type.apiVersion === undefined ? (sharedKinds.has(type.name) ? sharedBy : ['v1']) : [type.apiVersion];
  const kinds = [...new Set(versions)].map((apiVersion) => kindEntry(apiVersion, type.name));
  return { 'x-kubernetes-group-version-kind': kinds.sort(byGroupAndVersion) };
}

interface KindEntry {
  [key: string]: string;
  group: string;
  kind: string;
  version: string;
}

function kindEntry(apiVersion: string, kind: string): KindEntry {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), kind, version: apiVersion.slice(slash + 1) };
}

function byGroupAndVersion(a: KindEntry, b: KindEntry): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  return a.version < b.version ? -1 : 1;
}
