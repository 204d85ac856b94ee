/** A valid definition for tests to change. */
import type { JsonSchema } from '../json-schema.ts';
import type {
  CustomResourceDefinition,
  DefinitionCondition,
  DefinitionSpec,
  DefinitionVersion,
} from './custom-resource-definition.ts';
import { prepareForCreate, setDefinitionDefaults } from './prepare-definition.ts';

export function aDefinition(spec: Partial<DefinitionSpec> = {}): CustomResourceDefinition {
  const definition: CustomResourceDefinition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'ships.example.com', resourceVersion: '1' },
    spec: {
      group: 'example.com',
      names: { plural: 'ships', kind: 'Ship' },
      scope: 'Namespaced',
      versions: [aVersion({})],
      ...spec,
    },
  };
  setDefinitionDefaults(definition);
  prepareForCreate(definition);
  return definition;
}

/** Version v1, stored and served, with this property only. */
export function withProperty(schema: JsonSchema): CustomResourceDefinition {
  return aDefinition({ versions: [aVersion({ a: schema })] });
}

export function aVersion(
  properties: Readonly<Record<string, JsonSchema>>,
  rest: Partial<DefinitionVersion> = {},
): DefinitionVersion {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return { name: 'v1', served: true, storage: true, schema, ...rest };
}

export function established(definition: CustomResourceDefinition): CustomResourceDefinition {
  const condition: DefinitionCondition = { type: 'Established', status: 'True' };
  return { ...definition, status: { ...definition.status, conditions: [condition] } };
}
