import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastAppliedAnnotation } from '@flotilla/api';
import { goJson, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import { recorded } from '../compare/recorded.testing.ts';
import { withAnnotation } from './annotations-of.ts';
import { loadPatchSchemas, threeWayPatch } from './three-way-patch.ts';

type Recorded = {
  readonly does: string;
  /** The last-applied annotation of the live object, if any. */
  readonly original?: JsonValue;
  readonly modified: KubeObject;
  readonly current: KubeObject;
} & ({ readonly type: 'merge' | 'strategic'; readonly patch: JsonObject } | { readonly error: string });

const file = new URL('recorded/three-way-patches.json', import.meta.url);
const cases = recorded(file) as unknown as readonly Recorded[];
const patchSchemaOf = await loadPatchSchemas();

describe('client-side apply sends what KubeFleet would send for', () => {
  for (const { does, original, modified, current, ...expected } of cases) {
    const live = original === undefined ? current : withAnnotation(current, lastAppliedAnnotation, goJson(original));
    test(does, () => {
      if ('error' in expected) {
        assert.throws(() => threeWayPatch(modified, live, patchSchemaOf), { message: expected.error });
      } else {
        const { type, value } = threeWayPatch(modified, live, patchSchemaOf);
        assert.equal(`${type} ${goJson(value)}`, `${expected.type} ${goJson(expected.patch)}`);
      }
    });
  }
});

describe('a kind gets a strategic patch', () => {
  test('if it is of a built-in group, whatever its version', () => {
    assert.ok(patchSchemaOf({ group: 'apps', version: 'v1', kind: 'Deployment' }));
    assert.ok(patchSchemaOf({ group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' }));
  });

  test('but not if it is a CustomResourceDefinition, an APIService or custom', () => {
    const definition = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
    assert.equal(patchSchemaOf(definition), undefined);
    assert.equal(patchSchemaOf({ group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' }), undefined);
    assert.equal(patchSchemaOf({ group: 'example.com', version: 'v1', kind: 'Deployment' }), undefined);
  });
});
