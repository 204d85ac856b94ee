/** Definitions and the answer of kube-apiserver v1.36 to each: nothing, or the text after “is invalid”. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import {
  aggregate,
  fieldErrorText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
} from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import type { ReadMetadata } from '../value/coerce-embedded.ts';
import type { CustomResourceDefinition, DefinitionSpec, DefinitionVersion } from './custom-resource-definition.ts';
import { prepareForCreate, setDefinitionDefaults } from './prepare-definition.ts';
import { validateDefinition } from './validate-definition.ts';

/** Missing fields are those of a valid definition. */
interface RecordedDefinition extends Partial<DefinitionSpec> {
  readonly metadata?: ObjectMeta;
  /** The only property of version v1. */
  readonly property?: JsonSchema;
  /** Of version v1. */
  readonly schema?: JsonSchema;
  readonly version?: Partial<DefinitionVersion>;
  readonly answer: string;
}

const folder = resolve(import.meta.dirname, 'recorded');

for (const file of readdirSync(folder)) {
  const rows = JSON.parse(readFileSync(resolve(folder, file), 'utf8')) as RecordedDefinition[];
  test(`${rows.length} definitions of ${file} get the answers of kube-apiserver`, () => {
    for (const { answer, ...row } of rows) assert.equal(answerTo(row), answer, JSON.stringify(row));
  });
}

function answerTo({ metadata, property, schema, version, ...spec }: Omit<RecordedDefinition, 'answer'>): string {
  const properties = property && { a: property };
  const openAPIV3Schema = schema ?? { type: 'object', ...(properties && { properties }) };
  const definition: CustomResourceDefinition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { ...(metadata ?? { name: 'foos.proof.example.com' }) },
    spec: {
      group: 'proof.example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      ...spec,
    },
  };
  setDefinitionDefaults(definition);
  prepareForCreate(definition);
  const errors = validateDefinition(definition, { readMetadata });
  return errors.length === 0 ? '' : aggregate(errors.map(fieldErrorText));
}

/** Enough of Go's decoder for these rows. */
const readMetadata: ReadMetadata = (value: JsonValue) => {
  const metadata: JsonObject = isJsonObject(value) ? value : {};
  if (metadata['name'] === undefined || typeof metadata['name'] === 'string') return { metadata, unknownFields: [] };
  const error = 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string';
  return { metadata, error, unknownFields: [] };
};
