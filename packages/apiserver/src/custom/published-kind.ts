import { createHash } from 'node:crypto';
import type { JsonObject } from '@flotilla/kube';
import {
  publishedListSchema,
  publishedSchema,
  type DefinitionSpec,
  type DefinitionVersion,
  type OpenApiForm,
} from '@flotilla/schema';
import type { PublishedKind } from '../resources/resource.ts';

interface Publishing {
  /** Reads the definition: it is not kept for the sake of documents. */
  readonly read: () => DefinitionSpec;
  readonly version: string;
  /** Another one whenever what is published changes. */
  readonly state: string;
}

/** How OpenAPI documents show one version of a custom resource. */
export function publishedKind({ read, version, state }: Publishing): PublishedKind {
  return {
    schemas: (form) => schemasOf(read(), version, form),
    hash: () => createHash('sha512').update(`${state} ${version}`).digest('hex'),
  };
}

function schemasOf(
  { group, names, versions }: DefinitionSpec,
  name: string,
  form: OpenApiForm,
): Record<string, JsonObject> {
  const version = versions.find((candidate) => candidate.name === name);
  if (!version) throw new Error(`${names.plural}.${group} has no version ${name}`);
  const { kind, listKind = `${kind}List`, plural } = names;
  const prefix = [...group.split('.').reverse(), name].join('.');
  const extensions = (ofKind: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group, kind: ofKind, version: name }],
    ...selectableFields(version),
  });
  return {
    [`${prefix}.${kind}`]: { ...publishedSchema(version.schema?.openAPIV3Schema, form), ...extensions(kind) },
    [`${prefix}.${listKind}`]: {
      ...publishedListSchema({ model: `${prefix}.${kind}`, kind, listKind, plural }, form),
      ...extensions(listKind),
    },
  };
}

function selectableFields({ selectableFields: fields = [] }: DefinitionVersion): JsonObject {
  if (fields.length === 0) return {};
  const paths = fields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return { 'x-kubernetes-selectable-fields': paths };
}
