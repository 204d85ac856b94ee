/** For tests: definitions in a few words, and the wait until they are served. */
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

/** Widgets of example.com, with a schema that knows `spec.size`, a number that is 1 if nobody says otherwise, and `spec.color`. */
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

/** `{ Established: 'True' }` and so on; nothing of a definition that is not there. */
export async function conditionsOf(server: TestServer, name: string): Promise<Record<string, string>> {
  const { body } = await server.request('GET', `${definitionsPath}/${name}`);
  const { conditions } = (body['status'] ?? {}) as { conditions?: { type: string; status: string }[] | null };
  return Object.fromEntries((Array.isArray(conditions) ? conditions : []).map(({ type, status }) => [type, status]));
}

/** Turns of the event loop that anything in this process may take, and more. */
const patience = 1000;

export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < patience; turn++) {
    if (await isSo()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  assert.fail('it never came to that');
}
