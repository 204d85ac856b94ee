/**
 * Replays what kube-apiserver v1.36 answered to sequences of writes, and compares managedFields after each. Step n
 * happened n seconds after the start of 2026.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { ApiError } from '../api-status.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { applyConfiguration } from './apply-configuration.ts';
import { mapIn } from './merge-type.ts';
import { exceptFields } from './field-filter.ts';
import type { ManagedKind } from './managed-kind.ts';
import { fieldPath } from './path-element.ts';
import { autoscalerIn, sampleAutoscalers } from './sample-autoscaler.testing.ts';
import { sampleKinds } from './sample-types.testing.ts';
import { parentEntriesOf, scaleEntriesOf } from './scale-fields.ts';
import { keepTimes, updateManagedFields } from './update-managed-fields.ts';

interface Step {
  readonly verb: 'create' | 'update' | 'merge' | 'json' | 'smp' | 'apply';
  readonly manager: string;
  readonly subresource?: 'status' | 'scale';
  readonly force?: boolean;
  readonly note?: string;
  /** The applied configuration. */
  readonly config?: JsonObject;
  /** managedFields that the client sent, if not the live ones. */
  readonly sent?: ManagedFieldsEntry[];
  /** The stored object, in the version of the request. */
  readonly object?: KubeObject;
  /** The second of the step, if not its number. */
  readonly second?: number;
  readonly error?: { readonly code: number; readonly message: string; readonly causes?: JsonObject[] };
}

interface Scenario {
  readonly name: string;
  readonly kind: 'ConfigMap' | 'Deployment' | 'Service' | 'HorizontalPodAutoscaler';
  readonly steps: readonly Step[];
}

const recorded = new URL('recorded/kube-apiserver.json', import.meta.url);
const scenarios = JSON.parse(readFileSync(recorded, 'utf8')) as Scenario[];

for (const { name, kind, steps } of scenarios) {
  suite(`fields are owned as by kube-apiserver: ${name}`, () => {
    let live: KubeObject | undefined;
    for (const [index, step] of steps.entries()) {
      const before = live;
      test(`${index}: ${step.verb} ${step.subresource ?? ''} by ${step.manager} (${step.note ?? 'plain'})`, () => {
        replay(endpoint(kind, step), before, step, new Date(Date.UTC(2026, 0, 1, 0, 0, step.second ?? index)));
      });
      live = step.object ?? live;
    }
  });
}

function endpoint(kind: Scenario['kind'], { subresource, object, config }: Step): ManagedKind {
  if (kind === 'HorizontalPodAutoscaler') {
    return sampleAutoscalers((config as KubeObject | undefined)?.apiVersion ?? object?.apiVersion ?? '');
  }
  const base = sampleKinds[kind];
  if (kind === 'ConfigMap' || subresource === 'scale') return base;
  const reset = subresource === 'status' ? [['spec'], ['metadata', 'labels']] : [['status']];
  return { ...base, subresource: subresource ?? '', writable: exceptFields(reset) };
}

function replay(kind: ManagedKind, stored: KubeObject | undefined, step: Step, now: Date): void {
  const live = stored === undefined ? undefined : existing(autoscalerIn(stored, kind.apiVersion));
  if (step.error !== undefined) {
    const { code, message, causes } = step.error;
    assert.throws(
      () => write(kind, live, step, now),
      (error) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.message, message);
        assert.equal(error.code, code);
        assert.deepEqual(error.status.details?.causes, causes);
        return true;
      },
    );
    return;
  }
  assert.ok(step.object);
  const written = write(kind, live, step, now);
  const entries = live === undefined ? written : keepTimes(live, storedWith(step.object, written));
  assert.deepEqual(entries, step.object.metadata.managedFields);
  // After a write to its scale, Kubernetes keeps the fields in another order until the next write.
  if (step.subresource === 'scale') return;
  assert.equal(JSON.stringify(entries), JSON.stringify(step.object.metadata.managedFields));
}

function storedWith(object: KubeObject, managedFields: ManagedFieldsEntry[] | undefined): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return existing({ ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } });
}

function write(
  kind: ManagedKind,
  live: KubeObject | undefined,
  step: Step,
  now: Date,
): ManagedFieldsEntry[] | undefined {
  if (step.subresource === 'scale' && live !== undefined) return writeScale(kind, live, step, now);
  if (step.config !== undefined) return applyStep(kind, live, step, now).metadata.managedFields;
  const { manager, sent } = step;
  assert.ok(step.object);
  const object = beforeAllocation(storedWith(step.object, sent), live);
  return updateManagedFields({ kind, live, object, manager, now });
}

function applyStep(kind: ManagedKind, live: KubeObject | undefined, step: Step, now: Date): KubeObject {
  const { config = {}, manager, force = false, object } = step;
  const { object: applied } = applyConfiguration({ kind, live, config, manager, force, now });
  // The server resets everything else that an apply to the status sets.
  if (object !== undefined && step.subresource === undefined) {
    assertStored(contentOf(applied), contentOf(object), live && contentOf(live));
  }
  return applied;
}

function contentOf({ data, spec, status, metadata }: KubeObject): JsonObject {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { data, spec, status, labels, annotations, finalizers, ownerReferences };
}

/** The stored object is the applied one with defaults. Anything more must be absent in both. */
function assertStored(
  applied: JsonValue | undefined,
  stored: JsonValue | undefined,
  live: JsonValue | undefined,
): void {
  if ((applied ?? null) === null) return;
  if (Array.isArray(applied) && Array.isArray(stored)) {
    assert.equal(applied.length, stored.length);
    for (const [index, item] of applied.entries()) assertStored(item, stored[index], undefined);
  } else if (isJsonObject(applied) && (isJsonObject(stored) || stored === undefined)) {
    for (const [key, value] of Object.entries(applied)) assertStored(value, stored?.[key], mapIn(live)[key]);
    const lost = Object.keys(stored ?? {}).filter((key) => !(key in applied) && key in mapIn(live));
    assert.deepEqual(lost, []);
  } else {
    assert.deepEqual(applied, stored);
  }
}

/** A Scale shows its parent's owners of replicas, is written, and returns them. */
function writeScale(kind: ManagedKind, parent: KubeObject, step: Step, now: Date): ManagedFieldsEntry[] | undefined {
  const { manager, force = false, config } = step;
  const parentKind = { apiVersion: kind.apiVersion, replicasPath: () => fieldPath('spec', 'replicas') };
  const scaleKind: ManagedKind = { ...sampleKinds.Scale, subresource: 'scale' };
  const entries = parent.metadata.managedFields ?? [];
  const live = scaleOf(parent, scaleEntriesOf(parentKind, entries));
  const object = scaleOf(step.object ?? parent, undefined);
  const scaleEntries =
    config === undefined
      ? updateManagedFields({ kind: scaleKind, live, object, manager, now })
      : applyConfiguration({ kind: scaleKind, live, config, manager, force, now }).object.metadata.managedFields;
  return parentEntriesOf(parentKind, entries, scaleEntries ?? []);
}

function scaleOf({ metadata, spec }: KubeObject, managedFields: ManagedFieldsEntry[] | undefined): KubeObject {
  const { name = '', namespace = '' } = metadata;
  return existing({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace, ...(managedFields === undefined ? {} : { managedFields }) },
    spec: { replicas: mapIn(spec)['replicas'] ?? 0 },
    status: { replicas: 0 },
  });
}

/** The recording omits what differs between runs. */
function existing(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '1' } };
}

/** Addresses are allocated after the owners were computed. */
function beforeAllocation(object: KubeObject, live: KubeObject | undefined): KubeObject {
  if (object.kind !== 'Service' || live !== undefined) return object;
  const { clusterIP: _, clusterIPs: __, ipFamilies: ___, ipFamilyPolicy: ____, ...spec } = mapIn(object['spec']);
  return { ...object, spec };
}
