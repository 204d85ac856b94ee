import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import type { Resource } from '../resources/resource.ts';
import { customPaths } from './custom-paths.ts';
import type { ModelOf, Path } from './operation.ts';
import { resourcePaths } from './resource-paths.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

interface Shape {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly hasScale: boolean;
}

function resourceOf({ group, version, kind, namespaced, hasScale }: Shape): Resource {
  const scale = { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: subresourceVerbs };
  return {
    group,
    version,
    kind,
    plural: `${kind.toLowerCase()}s`,
    listKind: `${kind}List`,
    namespaced,
    verbs,
    isUnstructured: true,
    subresources: [{ name: 'status', group, version, kind, verbs: subresourceVerbs }, ...(hasScale ? [scale] : [])],
    get behavior(): never {
      throw new Error('a schema is compiled for a document');
    },
    get codec(): never {
      throw new Error('a schema is compiled for a document');
    },
  } as unknown as Resource;
}

const shapes: readonly Shape[] = [
  { group: 'example.com', version: 'v1', kind: 'Ledger', namespaced: true, hasScale: false },
  { group: 'a-b.c-d.example', version: 'v1beta1', kind: 'lower', namespaced: true, hasScale: false },
  { group: '9lives.example', version: 'v1', kind: 'cat-like', namespaced: true, hasScale: false },
  { group: 'deep.networking.k8s.io', version: 'v2alpha1', kind: 'List', namespaced: false, hasScale: true },
  { group: 'other.example.com', version: 'v1', kind: 'Crate', namespaced: false, hasScale: true },
];

for (const shape of shapes) {
  test(`paths of ${shape.kind} equal those that are written without a template`, () => {
    const resource = resourceOf(shape);
    const modelOf: ModelOf = ({ group, version, kind }) => `${group}.${version}.${kind}`;
    const pathItem = (path: Path): JsonObject => path as unknown as JsonObject;
    const written = customPaths(resource, modelOf, pathItem).map(
      ({ path, text }) => [path, (JSON.parse(`{${text}}`) as JsonObject)[path]] as const,
    );
    const expected = resourcePaths(resource, modelOf).map((path) => [path.path, JSON.parse(JSON.stringify(path))]);
    assert.deepEqual(written, expected);
  });
}
