import type { CustomResourceDefinition, DefinitionVersion } from '../definition/custom-resource-definition.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Presence, TypedSchema } from './typed-schema.ts';

/** The declaration of one of our kinds, from which `defineKind` makes its CustomResourceDefinition. */
export interface KindDeclaration {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly annotations?: Readonly<Record<string, string>>;
  /** The first one without `storage: false` is stored. */
  readonly versions: readonly VersionDeclaration[];
}

export interface VersionDeclaration extends Omit<Partial<DefinitionVersion>, 'schema'> {
  readonly name: string;
  readonly description: string;
  /** Fields beside kind, apiVersion and metadata: spec, status and others. */
  readonly fields: Readonly<Record<string, TypedSchema<unknown, Presence>>>;
  readonly rules?: JsonSchema['x-kubernetes-validations'];
}

export function defineKind(declared: KindDeclaration): CustomResourceDefinition {
  const { group, kind, plural, singular, shortNames, categories, scope, annotations, versions } = declared;
  const stored = versions.find(({ storage }) => storage !== false)?.name;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(annotations && { annotations: { ...annotations } }) },
    spec: {
      group,
      names: {
        ...(categories && { categories: [...categories] }),
        kind,
        listKind: `${kind}List`,
        plural,
        ...(shortNames && { shortNames: [...shortNames] }),
        singular: singular ?? kind.toLowerCase(),
      },
      scope,
      versions: versions.map((version) => definitionVersion(version, version.name === stored)),
    },
  };
}

function definitionVersion(declared: VersionDeclaration, storage: boolean): DefinitionVersion {
  const { description, fields, rules, ...rest } = declared;
  const entries = Object.entries(fields);
  const required = entries.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  const openAPIV3Schema: JsonSchema = {
    description,
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: { ...typeMeta, ...Object.fromEntries(entries.map(([name, { json }]) => [name, json])) },
    ...(rules && { 'x-kubernetes-validations': rules }),
  };
  return { served: true, ...rest, storage, schema: { openAPIV3Schema } };
}

const typeMeta = {
  apiVersion: { description: 'Group and version of the schema that the object is written in.', type: 'string' },
  kind: { description: 'Name of the schema that the object is written in.', type: 'string' },
  metadata: { type: 'object' },
};
