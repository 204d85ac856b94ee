import type { CustomResourceDefinition, DefinitionVersion } from '../definition/custom-resource-definition.ts';
import type { JsonSchema } from '../json-schema.ts';
import { comment, pascalCase, TypeNames } from './source-text.ts';
import { TypePrinter } from './type-printer.ts';

/**
 * A module with the types of these definitions. Each served version of a kind, its list and each nested object have an
 * interface. The module has no imports.
 */
export function printTypes(definitions: readonly CustomResourceDefinition[]): string {
  const names = new TypeNames(reserved);
  const printer = new TypePrinter(names);
  // Kinds get their names first; nested objects get those that remain.
  const kinds = definitions.flatMap(({ spec }) => servedVersions(spec, names));
  for (const kind of kinds) addKind(printer, kind);
  return `${[heading, ...sharedTypes, ...printer.interfaces].join('\n\n')}\n`;
}

interface ServedKind {
  readonly spec: CustomResourceDefinition['spec'];
  readonly version: DefinitionVersion;
  readonly name: string;
  readonly listName: string;
}

/** `Ship`; `ShipV1` if there are several versions; with the group if two groups have the kind. */
function servedVersions(spec: CustomResourceDefinition['spec'], names: TypeNames): ServedKind[] {
  const served = spec.versions.filter((version) => version.served);
  return served.map((version) => {
    const kind = pascalCase(spec.names.kind);
    const plain = served.length > 1 ? `${kind}${pascalCase(version.name)}` : kind;
    const name = names.take(plain, `${plain}${pascalCase(spec.group)}`);
    return { spec, version, name, listName: names.take(`${name}List`) };
  });
}

function addKind(printer: TypePrinter, { spec, version, name, listName }: ServedKind): void {
  const { kind, listKind = `${kind}List` } = spec.names;
  const apiVersion = JSON.stringify(`${spec.group}/${version.name}`);
  const schema = withoutObjectFields(version.schema?.openAPIV3Schema ?? {});
  printer.addInterface(name, schema, [
    `  apiVersion: ${apiVersion};`,
    `  kind: ${JSON.stringify(kind)};`,
    '  metadata: ObjectMeta;',
  ]);
  printer.addInterface(listName, {}, [
    `  apiVersion: ${apiVersion};`,
    `  kind: ${JSON.stringify(listKind)};`,
    '  metadata: ListMeta;',
    `  items: ${name}[];`,
  ]);
}

/** The fields of every object are printed from our own types, whatever the schema says. */
function withoutObjectFields(schema: JsonSchema): JsonSchema {
  const own = Object.entries(schema.properties ?? {}).filter(
    ([name]) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata',
  );
  return { ...schema, properties: Object.fromEntries(own) };
}

const heading = comment('Printed by `flotilla types` from CustomResourceDefinitions.', '').trimEnd();

const sharedTypes = [
  `/** What every object has. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: Record<string, unknown>[];
}`,
  `export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}`,
  `export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}`,
  `/** An object of any kind. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}`,
];

/** Names that the module needs, and those that would shadow TypeScript's. */
const reserved = ['ObjectMeta', 'OwnerReference', 'ListMeta', 'KubernetesObject', 'Record', 'Array'];
