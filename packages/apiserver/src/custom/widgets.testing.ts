/** Short forms of definitions, and waiting until they are served. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@flotilla/kube';
import type { TestServer } from '@flotilla/testkit';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Version extends JsonObject {
  name: string;
}

interface Shape {
  readonly plural?: string;
  readonly kind?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly names?: JsonObject;
  readonly conversion?: JsonObject;
  /** The first is stored. */
  readonly versions?: readonly Version[];
}

/** Widgets of example.com. The schema has `spec.size`, an integer with the default 1, and `spec.color`. */
export function widgets(shape: Shape = {}): JsonObject {
  const {
    plural = 'widgets',
    kind = 'Widget',
    scope = 'Namespaced',
    names = {},
    conversion,
    versions = [v1()],
  } = shape;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { plural, kind, ...names },
      ...(conversion && { conversion }),
      versions: versions.map((version, index) => ({ served: true, storage: index === 0, ...version })),
    },
  };
}

export function v1(more: JsonObject = {}): Version {
  return versionOf('v1', { size: { type: 'integer', default: 1 }, color: { type: 'string', maxLength: 10 } }, more);
}

export function versionOf(name: string, spec: JsonObject, more: JsonObject = {}): Version {
  const status = { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } };
  const properties = { spec: { type: 'object', properties: spec }, status };
  return { name, schema: { openAPIV3Schema: { type: 'object', properties } }, ...more };
}

export const scalable = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.size',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
};

export async function define(server: TestServer, definition: JsonObject): Promise<void> {
  const { status, text } = await server.request('POST', definitionsPath, { body: definition });
  assert.equal(status, 201, text);
  const { name = '' } = definition['metadata'] as Record<string, string>;
  await until(async () => (await conditionsOf(server, name))['Established'] === 'True');
}

/** `{ Established: 'True' }` and so on; empty if the definition does not exist. */
export async function conditionsOf(server: TestServer, name: string): Promise<Record<string, string>> {
  const { body } = await server.request('GET', `${definitionsPath}/${name}`);
  const { conditions } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
  return Object.fromEntries((Array.isArray(conditions) ? conditions : []).map(({ type, status }) => [type, status]));
}

/** More turns of the event loop than any step in this process needs. */
const maxTurns = 1000;

export async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn++) {
    if (await isTrue()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  assert.fail('the condition did not become true');
}
