import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { apiVersionOf, type JsonObject } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import { kindDescription } from '../kind-descriptions.ts';
import { servedGroupVersions, servedResources } from '../resources/served-resource.ts';
import { openApiDefinitions, openApiSchemas } from './open-api-schemas.ts';

const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1';

describe('version 3 schemas', () => {
  const apps = openApiSchemas('apps/v1');
  const property = (model: string, name: string) => (apps[model]?.['properties'] as JsonObject | undefined)?.[name];

  test('have references with their defaults, and required fields in struct order', () => {
    assert.deepEqual(apps['io.k8s.api.apps.v1.DeploymentSpec']?.['required'], ['selector', 'template']);
    assert.deepEqual(property('io.k8s.api.apps.v1.DeploymentSpec', 'strategy'), {
      allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy' }],
      default: {},
      'x-kubernetes-patch-strategy': 'retainKeys',
    });
  });

  test('have list types, merge keys, formats and enums', () => {
    assert.deepEqual(property('io.k8s.api.core.v1.Container', 'ports'), {
      type: 'array',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.ContainerPort' }], default: {} },
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'containerPort',
      'x-kubernetes-patch-strategy': 'merge',
    });
    assert.deepEqual(property('io.k8s.api.core.v1.ContainerPort', 'protocol'), {
      type: 'string',
      enum: ['SCTP', 'TCP', 'UDP'],
      default: 'TCP',
    });
  });

  test('list their kinds', () => {
    assert.deepEqual(apps['io.k8s.api.apps.v1.Deployment']?.['x-kubernetes-group-version-kind'], [
      { group: 'apps', kind: 'Deployment', version: 'v1' },
    ]);
    assert.deepEqual(apps[`${metaV1}.DeleteOptions`]?.['x-kubernetes-group-version-kind'], [
      { group: '', kind: 'DeleteOptions', version: 'v1' },
      { group: 'apps', kind: 'DeleteOptions', version: 'v1' },
    ]);
  });

  test('describe every kind that is served', () => {
    for (const { group, version, kind } of servedResources) {
      assert.ok(kindDescription(kind), `${apiVersionOf({ group, version })} ${kind}`);
    }
    assert.equal(apps['io.k8s.api.apps.v1.DeploymentList']?.description, 'A list of Deployment objects.');
  });
});

const schemaOfSchemas = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

test('version 3 wraps references only where Go has a comment or a default', () => {
  const { properties } = openApiSchemas('apiextensions.k8s.io/v1')[schemaOfSchemas] as { properties: JsonObject };
  const target = (name: string): JsonObject => ({
    $ref: `#/components/schemas/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.${name}`,
  });
  assert.deepEqual(properties['default'], { allOf: [target('JSON')] });
  assert.deepEqual(properties['example'], target('JSON'));
  assert.deepEqual(properties['not'], target('JSONSchemaProps'));
});

test('version 2 definitions have neither defaults nor wrapped references', () => {
  const definitions = openApiDefinitions();
  // The schema of schemas has fields with these names.
  const { [schemaOfSchemas]: _schema, ...others } = definitions;
  const text = JSON.stringify(others);
  assert.ok(!text.includes('"allOf"') && !text.includes('"oneOf"') && !text.includes('components'));
  const { properties } = definitions['io.k8s.api.apps.v1.DeploymentSpec'] as { properties: JsonObject };
  assert.deepEqual(properties['strategy'], {
    $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentStrategy',
    'x-kubernetes-patch-strategy': 'retainKeys',
  });
  assert.deepEqual(definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'], { type: 'string' });
});

const reference = referenceData();

test('schemas match those of kube-apiserver', { skip: reference.skip }, () => {
  for (const { group, version } of servedGroupVersions) {
    const place = group === '' ? `api__${version}` : `apis__${group}__${version}`;
    const file = reference.path(`kubernetes/schemas/${place}_openapi.json`);
    const { schemas } = JSON.parse(readFileSync(file, 'utf8')) as { schemas: Record<string, JsonObject> };
    const ours = openApiSchemas(apiVersionOf({ group, version }));
    const missing = Object.keys(schemas).filter((name) => !Object.hasOwn(ours, name) && !isLater(name));
    assert.deepEqual(missing, [], place);
    for (const [name, schema] of Object.entries(ours)) {
      assert.deepEqual(comparable(schema), comparable(schemas[name]), `${place} ${name}`);
    }
  }
});

function isLater(name: string): boolean {
  return name.startsWith('io.k8s.api.authentication.v1.');
}

/**
 * The reference data has no descriptions and no enums. Fields without a comment in Go have a bare reference instead of
 * a wrapped one.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'description' && key !== 'enum');
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'allOf') return comparable((only[1] as unknown[])[0]);
  return Object.fromEntries(
    entries.map(([key, child]) => [key, key === 'properties' ? fields(child) : comparable(child)]),
  );
}

function fields(properties: unknown): unknown {
  return Object.fromEntries(Object.entries(properties as object).map(([name, child]) => [name, comparable(child)]));
}
