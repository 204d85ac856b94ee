import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../json/value.ts';
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../object.ts';
import { exceptFields } from './field-filter.ts';
import { firstStatusOf, isUntouched } from './first-status.ts';
import type { ManagedKind } from './managed-kind.ts';
import { entry, secondsLater } from './sample-objects.testing.ts';
import { sampleKinds } from './sample-types.testing.ts';
import { updateManagedFields } from './update-managed-fields.ts';

const status: JsonObject = { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] };
const spec: JsonObject = { replicas: 1, template: { spec: { containers: [{ name: 'web' }] } } };
const ofCreator: JsonObject = { 'f:spec': { 'f:replicas': {} } };

const builtIn: ManagedKind = {
  ...sampleKinds.Deployment,
  subresource: 'status',
  writable: exceptFields([['spec']]),
};
/** Resets metadata, too, and begins without a status. */
const custom: ManagedKind = {
  ...builtIn,
  blank: { apiVersion: 'apps/v1', kind: 'Deployment' },
  writable: exceptFields([['metadata'], ['spec']]),
  isUnchecked: (field) => field === 'spec',
};

function by(manager: string, more: ManagedFieldsEntry = {}): ManagedFieldsEntry {
  return entry(manager, 'Update', ofCreator, { apiVersion: 'apps/v1', ...more });
}

function deployment(content: JsonObject, metadata: ObjectMeta = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', ...metadata }, spec, ...content };
}

interface Case {
  readonly does: string;
  readonly kind: ManagedKind;
  readonly live: KubeObject;
  readonly object: KubeObject;
  readonly isFirst: boolean;
}

const managed = { managedFields: [by('maker')] };
const blank = deployment({ status: {} }, managed);
const without = deployment({}, managed);

const cases: readonly Case[] = [
  { does: 'fills a blank status', kind: builtIn, live: blank, object: deployment({ status }), isFirst: true },
  { does: 'adds a status', kind: custom, live: without, object: deployment({ status }), isFirst: true },
  { does: 'leaves out spec and labels', kind: custom, live: withLabel(without), object: bare(status), isFirst: true },
  { does: 'adds an empty status', kind: custom, live: without, object: deployment({ status: {} }), isFirst: true },
  {
    does: 'adds annotations to others',
    kind: builtIn,
    live: annotated(blank, { b: '' }),
    object: annotated(deployment({ status }), { b: '', z: '1', 'a/c': '', a: '' }),
    isFirst: true,
  },
  {
    does: 'adds an annotation that is reset',
    kind: custom,
    live: annotated(without, { b: '' }),
    object: annotated(deployment({ status }), { b: '', z: '1' }),
    isFirst: true,
  },
  {
    does: 'adds the first annotation',
    kind: builtIn,
    live: blank,
    object: annotated(deployment({ status }), { z: '1' }),
    isFirst: false,
  },
  {
    does: 'changes an annotation',
    kind: builtIn,
    live: annotated(blank, { b: '' }),
    object: annotated(deployment({ status }), { b: '1', z: '' }),
    isFirst: false,
  },
  {
    does: 'replaces an annotation',
    kind: builtIn,
    live: annotated(blank, { b: '' }),
    object: annotated(deployment({ status }), { z: '' }),
    isFirst: false,
  },
  { does: 'replaces a status', kind: custom, live: deployment({ status }), object: bare({}), isFirst: false },
  { does: 'removes a label', kind: builtIn, live: withLabel(blank), object: deployment({ status }), isFirst: false },
  { does: 'sends another spec', kind: custom, live: without, object: bare(status, { spec: {} }), isFirst: false },
  {
    does: 'sends a spec of a wrong type',
    kind: custom,
    live: without,
    object: bare(status, { spec: '' }),
    isFirst: false,
  },
  { does: 'sends no status', kind: custom, live: without, object: deployment({}), isFirst: false },
];

function withLabel(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } };
}

function annotated(object: KubeObject, annotations: Record<string, string>): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function bare(sent: JsonObject, more: JsonObject = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, status: sent, ...more };
}

describe('a write to the status endpoint', () => {
  for (const { does, kind, live, object, isFirst } of cases) {
    test(`that ${does} is ${isFirst ? 'a' : 'no'} first status`, () => {
      assert.equal(firstStatusOf(kind, live, object) !== undefined, isFirst);
    });
  }

  for (const { does, kind, live, object } of cases.filter(({ isFirst }) => isFirst)) {
    test(`that ${does} gives the managers that a comparison of both objects finds`, () => {
      const update = { kind, live, object, manager: 'editor', now: secondsLater(5) };
      const compared = updateManagedFields({ ...update, isReread: true });
      assert.deepEqual(
        compared?.map(({ manager }) => manager),
        ['maker', 'editor'],
      );
      // Twice: the second time, the fields are known.
      for (let i = 0; i < 2; i++) assert.equal(JSON.stringify(updateManagedFields(update)), JSON.stringify(compared));
    });
  }

  test('keeps entries that have no status', () => {
    const ofStatus = { fieldsV1: { 'f:status': {} } };
    const kept = (updater: ManagedFieldsEntry): boolean => isUntouched(updater, custom, 'editor');
    assert.equal(kept(by('maker')), true);
    assert.equal(kept(by('editor')), true);
    assert.equal(kept(by('maker', { operation: 'Apply' })), true);
    assert.equal(kept(by('maker', { subresource: 'status' })), true);
    assert.equal(kept(by('editor', { subresource: 'status' })), false);
    assert.equal(kept(by('maker', ofStatus)), false);
    assert.equal(kept(by('maker', { fieldsV1: {} })), false);
    assert.equal(kept(by('maker', { apiVersion: 'apps/v1beta1' })), false);
    assert.equal(kept(by('maker', { fieldsType: 'FieldsV2' })), false);
  });

  test('of an object with ten managers goes the long way, which merges the oldest', () => {
    const managedFields = Array.from({ length: 10 }, (_, index) => by(`maker-${index}`));
    const live = deployment({}, { managedFields });
    const managers = updateManagedFields({
      kind: custom,
      live,
      object: bare(status),
      manager: 'editor',
      now: secondsLater(5),
    });
    assert.equal(managers?.length, 10);
    assert.equal(
      managers?.some(({ manager }) => manager === 'ancient-changes'),
      true,
    );
  });
});

test('a custom resource without a status is created with the fields of its shape', () => {
  const kind: ManagedKind = { ...custom, subresource: '', writable: exceptFields([['status']]), isUnchecked: isStatus };
  const create = (object: KubeObject) =>
    updateManagedFields({ kind, live: undefined, object, manager: 'maker', now: secondsLater(0) });
  const [first] = create(deployment({})) ?? [];
  assert.equal(create(deployment({}))?.[0]?.fieldsV1, first?.fieldsV1);
  // The endpoint drops the status, and its type is not checked before that.
  assert.notEqual(create(deployment({ status }))?.[0]?.fieldsV1, first?.fieldsV1);
  assert.deepEqual(create(deployment({ status }))?.[0]?.fieldsV1, first?.fieldsV1);
  assert.equal(create(deployment({ status: '' })), undefined);
});

function isStatus(field: string): boolean {
  return field === 'status';
}
