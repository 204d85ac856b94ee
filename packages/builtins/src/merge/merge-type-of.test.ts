import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { MergeType } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import { structType, typeOfKind } from '../table/type-table.ts';
import { mergeTypeOf } from './merge-type-of.ts';

const podSpec = mergeTypeOf(structType('core/v1', 'PodSpec'));
const fieldOf = (type: MergeType | undefined, name: string) => type?.map?.field(name);

describe('the merge type of a struct', () => {
  test('has lists by key, with the defaults of their keys', () => {
    const containers = fieldOf(podSpec, 'containers')?.type().list;
    assert.equal(containers?.relationship, 'associative');
    assert.deepEqual(containers.keys, ['name']);
    const ports = fieldOf(containers.element(), 'ports')?.type().list;
    assert.deepEqual(ports?.keys, ['containerPort', 'protocol']);
    assert.equal(fieldOf(ports?.element(), 'protocol')?.default, 'TCP');
    assert.equal(fieldOf(ports?.element(), 'containerPort')?.default, 0);
    assert.equal(fieldOf(ports?.element(), 'hostPort')?.default, undefined);
  });

  test('has sets, atomic lists, atomic maps and atomic structs', () => {
    const meta = mergeTypeOf(structType('meta/v1', 'ObjectMeta'));
    const finalizers = fieldOf(meta, 'finalizers')?.type().list;
    assert.equal(finalizers?.relationship, 'associative');
    assert.equal(finalizers?.keys, undefined);
    assert.equal(fieldOf(podSpec, 'tolerations')?.type().list?.relationship, 'atomic');
    assert.equal(fieldOf(podSpec, 'nodeSelector')?.type().map?.relationship, 'atomic');
    assert.equal(mergeTypeOf(structType('core/v1', 'LocalObjectReference')).map?.relationship, 'atomic');
    const claim = fieldOf(mergeTypeOf(structType('core/v1', 'PersistentVolumeSpec')), 'claimRef')?.type();
    assert.equal(claim?.map?.relationship, 'separable');
  });

  test('has scalars', () => {
    assert.deepEqual(fieldOf(podSpec, 'hostNetwork')?.type(), { scalar: 'boolean' });
    assert.deepEqual(fieldOf(podSpec, 'priority')?.type(), { scalar: 'numeric' });
    assert.deepEqual(fieldOf(podSpec, 'nodeName')?.type(), { scalar: 'string' });
    const limits = fieldOf(mergeTypeOf(structType('core/v1', 'ResourceRequirements')), 'limits')?.type();
    assert.deepEqual(limits?.map?.element?.(), { scalar: 'untyped' });
  });

  test('may recurse', () => {
    const schema = mergeTypeOf(structType('apiextensions/v1', 'JSONSchemaProps'));
    assert.equal(fieldOf(fieldOf(schema, 'not')?.type(), 'not')?.type(), fieldOf(schema, 'not')?.type());
  });

  test('has no other fields, except for empty structs', () => {
    assert.equal(podSpec.map?.element, undefined);
    assert.equal(podSpec.map?.field('constructor'), undefined);
    const empty = mergeTypeOf(structType('apiextensions/v1', 'CustomResourceSubresourceStatus'));
    assert.ok(empty.map?.element);
  });
});

const reference = referenceData();

test('merge types match those that kube-apiserver builds from its OpenAPI', { skip: reference.skip }, () => {
  let compared = 0;
  const folder = reference.path('kubernetes/schemas');
  for (const name of readdirSync(folder).filter((file) => /_v\d\w*_openapi\.json$/.test(file))) {
    const { schemas } = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as { schemas: Record<string, Schema> };
    for (const [model, schema] of Object.entries(schemas)) {
      for (const gvk of schema['x-kubernetes-group-version-kind'] ?? []) {
        const type = typeOfKind(gvk);
        if (type?.modelName !== model) continue;
        const visited = new Set<string>();
        compareTypes(mergeTypeOf(type), { $ref: `/${model}` }, { schemas, visited, path: model });
        compared += 1;
      }
    }
  }
  assert.ok(compared > 300, `${compared} kinds compared`);
});

interface Schema {
  type?: string;
  format?: string;
  $ref?: string;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  default?: unknown;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-patch-merge-key'?: string;
}

interface Walk {
  readonly schemas: Record<string, Schema>;
  readonly visited: Set<string>;
  readonly path: string;
}

const quantityName = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const rawExtensionName = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

function compareTypes(ours: MergeType, schema: Schema, walk: Walk): void {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference === undefined) {
    compareAtoms(ours, schema, walk);
    return;
  }
  const model = reference.slice(reference.lastIndexOf('/') + 1);
  const mapType = schema['x-kubernetes-map-type'];
  const target = { ...walk.schemas[model], ...(mapType !== undefined && { 'x-kubernetes-map-type': mapType }) };
  if (model === quantityName) {
    assert.deepEqual(ours, { scalar: 'untyped' }, walk.path);
  } else if (model === rawExtensionName) {
    assert.equal(ours.map?.relationship, 'atomic', walk.path);
  } else if (!walk.visited.has(model + (mapType ?? ''))) {
    walk.visited.add(model + (mapType ?? ''));
    compareAtoms(ours, target, walk);
  }
}

function compareAtoms(ours: MergeType, schema: Schema, walk: Walk): void {
  const { path } = walk;
  switch (schema.type) {
    case 'object':
      assert.deepEqual(Object.keys(ours), ['map'], path);
      compareMaps(ours, schema, walk);
      break;
    case 'array':
      assert.deepEqual(Object.keys(ours), ['list'], path);
      compareLists(ours, schema, walk);
      break;
    case 'integer':
    case 'number':
      assert.deepEqual(ours, { scalar: 'numeric' }, path);
      break;
    case 'boolean':
      assert.deepEqual(ours, { scalar: 'boolean' }, path);
      break;
    case 'string': {
      const isPlain = schema.format === undefined || schema.format === 'byte';
      assert.deepEqual(ours, { scalar: isPlain ? 'string' : 'untyped' }, path);
      break;
    }
    case undefined:
    default:
      assert.deepEqual(Object.keys(ours), ['scalar', 'list', 'map'], path);
      assert.equal(ours.scalar, 'untyped', path);
  }
}

function compareMaps({ map }: MergeType, schema: Schema, walk: Walk): void {
  assert.ok(map);
  const expected = schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'separable';
  assert.equal(map.relationship, expected, walk.path);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = `${walk.path}.${name}`;
    const field = map.field(name);
    assert.ok(field, path);
    const value = typeof property.default === 'object' ? undefined : property.default;
    assert.equal(field.default, value, path);
    compareTypes(field.type(), property, { ...walk, path });
  }
  if (schema.additionalProperties !== undefined) {
    assert.ok(map.element, walk.path);
    compareTypes(map.element(), schema.additionalProperties, { ...walk, path: `${walk.path}[]` });
  } else {
    assert.equal(map.element === undefined, schema.properties !== undefined, walk.path);
  }
}

function compareLists({ list }: MergeType, schema: Schema, walk: Walk): void {
  assert.ok(list);
  const listType = schema['x-kubernetes-list-type'];
  const merges = listType === undefined && (schema['x-kubernetes-patch-strategy'] ?? '').startsWith('merge');
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  const isAssociative = listType === 'set' || listType === 'map' || merges;
  assert.equal(list.relationship, isAssociative ? 'associative' : 'atomic', walk.path);
  const keys = listType === 'map' ? schema['x-kubernetes-list-map-keys'] : merges && mergeKey ? [mergeKey] : undefined;
  assert.deepEqual(list.keys, keys, walk.path);
  compareTypes(list.element(), schema.items ?? {}, { ...walk, path: `${walk.path}[]` });
}
