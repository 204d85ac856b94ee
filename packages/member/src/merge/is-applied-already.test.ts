import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { isAppliedAlready } from './is-applied-already.ts';
import { withLastApplied } from './last-applied.ts';
import { loadPatchSchemas, threeWayPatch } from './three-way-patch.ts';

const patchSchemaOf = await loadPatchSchemas();

const container = (more: JsonObject = {}): JsonObject => ({
  name: 'web',
  image: 'nginx',
  ports: [{ containerPort: 80 }],
  ...more,
});

function deployment(containers: JsonObject[], more: JsonObject = {}): KubeObject {
  const spec = { template: { spec: { containers } } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec,
    ...more,
  };
}

const { object } = withLastApplied(deployment([container()]));

/** What the member has after a change of the applied object. */
const live = (changed: JsonObject): KubeObject => ({ ...object, ...changed });

/** Each with whether the object counts as applied. */
const cases: readonly [does: string, live: KubeObject, isApplied: boolean][] = [
  ['is as it was applied', live({}), true],
  ['has got a status', live({ status: { replicas: 1 } }), true],
  [
    'has got labels and annotations',
    live(withMetadata({ labels: { app: 'web', tier: 'a' } }, { revision: '1' })),
    true,
  ],
  ['has got defaults', live({ spec: { ...specOf([container({ imagePullPolicy: 'Always' })]), replicas: 1 } }), true],
  ['has lost a label', live(withMetadata({ labels: {} })), false],
  ['has lost a field', live({ spec: {} }), false],
  ['has another value', live({ spec: specOf([container({ image: 'caddy' })]) }), false],
  ['has a value of another type', live({ spec: specOf([container({ image: [] })]) }), false],
  ['has null instead of a value', live({ spec: null }), false],
  ['has one more item in a list', live({ spec: specOf([container(), container({ name: 'proxy' })]) }), false],
  ['was applied from another manifest', withLastApplied(deployment([container({ tty: true })])).object, false],
  ['has no last-applied annotation', { ...object, metadata: { name: 'web', labels: { app: 'web' } } }, false],
];

function specOf(containers: JsonObject[]): JsonObject {
  return { template: { spec: { containers } } };
}

function withMetadata(changed: JsonObject, annotations: Record<string, string> = {}): JsonObject {
  return {
    metadata: { ...object.metadata, ...changed, annotations: { ...object.metadata.annotations, ...annotations } },
  };
}

describe('an object on the member', () => {
  for (const [does, on, isApplied] of cases) {
    test(`that ${does} is ${isApplied ? '' : 'not '}applied already, which the merge confirms`, () => {
      assert.equal(isAppliedAlready(object, on), isApplied);
      const { value } = threeWayPatch(object, on, patchSchemaOf);
      assert.equal(Object.keys(value).length === 0, isApplied);
    });
  }
});
