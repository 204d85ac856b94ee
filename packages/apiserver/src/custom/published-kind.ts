import { createHash } from 'node:crypto';
import { stringifyJson, type JsonObject } from '@flotilla/kube';
import { publishedListSchema, publishedSchema, type DefinitionSpec, type DefinitionVersion } from '@flotilla/schema';
import type { PublishedKind } from '../resources/resource.ts';

/** How OpenAPI documents show one version of a custom resource. */
export function publishedKind(spec: DefinitionSpec, version: DefinitionVersion): PublishedKind {
  const { group, names, scope } = spec;
  const { kind, listKind = `${kind}List`, plural } = names;
  const prefix = [...group.split('.').reverse(), version.name].join('.');
  const extensions = (ofKind: string): JsonObject => ({
    'x-kubernetes-group-version-kind': [{ group, kind: ofKind, version: version.name }],
    ...selectableFields(version),
  });
  return {
    schemas: (form) => ({
      [`${prefix}.${kind}`]: { ...publishedSchema(version.schema?.openAPIV3Schema, form), ...extensions(kind) },
      [`${prefix}.${listKind}`]: {
        ...publishedListSchema({ model: `${prefix}.${kind}`, kind, listKind, plural }, form),
        ...extensions(listKind),
      },
    }),
    hash: () =>
      createHash('sha512')
        .update(stringifyJson({ group, names, scope, version } as unknown as JsonObject))
        .digest('hex'),
  };
}

function selectableFields({ selectableFields: fields = [] }: DefinitionVersion): JsonObject {
  if (fields.length === 0) return {};
  const paths = fields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return { 'x-kubernetes-selectable-fields': paths };
}
