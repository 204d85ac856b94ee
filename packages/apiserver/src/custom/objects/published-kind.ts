import { createHash } from 'node:crypto';
import { stringifyJson, stringifyMembers, type JsonObject } from '@flotilla/kube';
import {
  publishedListSchema,
  publishedSchema,
  type DefinitionVersion,
  type JsonSchema,
  type OpenApiForm,
} from '@flotilla/schema';
import type { PublishedKind } from '../../resources/resource.ts';
import { publishedPieces } from './published-text.ts';

export interface Publishing {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly selectableFields: DefinitionVersion['selectableFields'];
  /** Changes with what is published. */
  readonly state: string;
  /** Parses the definition, which is not kept in memory for documents. */
  readonly readSchema: () => JsonSchema | undefined;
  /** The stored bytes. */
  readonly definition: Uint8Array;
}

/** One version of a custom resource in the OpenAPI documents. */
export function publishedKind(publishing: Publishing): PublishedKind {
  const { version, kind, listKind, readSchema, definition, state } = publishing;
  const [model, listModel] = [modelName(publishing, kind), modelName(publishing, listKind)];
  const listSchema = (form: OpenApiForm): JsonObject => ({
    ...publishedListSchema({ ...publishing, model }, form),
    ...extensionsOf(publishing, listKind),
  });
  const schemas = (form: OpenApiForm): Record<string, JsonObject> => ({
    [model]: { ...publishedSchema(readSchema(), form), ...extensionsOf(publishing, kind) },
    [listModel]: listSchema(form),
  });
  return {
    modelOf: (name) => (name === kind ? model : name === listKind ? listModel : undefined),
    schemas,
    schemaPieces: () => {
      const pieces = publishedPieces(definition, version);
      if (!pieces) return [Buffer.from(stringifyMembers(schemas('v3')))];
      const rest = `,${stringifyMembers(extensionsOf(publishing, kind))}},${stringifyMembers({ [listModel]: listSchema('v3') })}`;
      return [Buffer.from(`${stringifyJson(model)}:`), ...pieces, Buffer.from(rest)];
    },
    hash: () => createHash('sha512').update(`${state} ${version}`).digest('hex'),
  };
}

function modelName({ group, version }: Publishing, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

function extensionsOf({ group, version, selectableFields = [] }: Publishing, kind: string): JsonObject {
  const paths = selectableFields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(paths.length > 0 && { 'x-kubernetes-selectable-fields': paths }),
  };
}
