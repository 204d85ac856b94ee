/**
 * Objects of ours with the answers that kube-apiserver v1.36 gave to them: what it stored, what it refused with which
 * sentences, its warnings and its table cells. Each kind has to give the same.
 */
import { ApiError, apiVersionOf, type FieldError, type JsonObject, type KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { decodeTyped } from '../decode/decode-typed.ts';
import type { Cell, KindBehavior, WriteContext } from '../kind.ts';
import { typeOfKind } from '../table/type-table.ts';
import { autoscalingKinds } from './autoscaling/list.ts';
import { coreKinds } from './core/list.ts';
import { planServiceCreate, planServiceUpdate } from './core/service-allocation.ts';
import { serviceOf } from './core/service-fields.ts';
import { claimsOf, ServiceNetwork } from './core/service-network.ts';
import { networkingKinds } from './networking/list.ts';
import { policyKinds } from './policy/list.ts';

interface Recording {
  readonly apiVersion: string;
  readonly kind: string;
  readonly columns: readonly JsonObject[];
  readonly cases: readonly RecordedCase[];
}

interface RecordedCase {
  readonly says: string;
  readonly create?: KubeObject;
  readonly given?: KubeObject;
  readonly update?: KubeObject;
  readonly subresource?: string;
  readonly stored?: KubeObject;
  readonly refused?: readonly Cause[];
  /** Of refusals without causes. */
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly cells?: readonly Cell[];
}

interface Cause {
  readonly reason?: string | undefined;
  readonly field?: string | undefined;
  readonly message?: string | undefined;
}

interface Answer {
  readonly object: KubeObject;
  readonly causes: readonly Cause[];
  readonly message?: string;
}

const kinds: readonly KindBehavior[] = [...autoscalingKinds, ...coreKinds, ...networkingKinds, ...policyKinds];
const context: WriteContext = { now: new Date('2026-03-01T12:00:00Z'), user: 'admin', groups: [] };
const folder = new URL('testdata/', import.meta.url);

for (const file of readdirSync(folder)) {
  const recording = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Recording;
  const kind = kinds.find((one) => apiVersionOf(one) === recording.apiVersion && one.kind === recording.kind);
  assert.ok(kind, `${file} is of no kind here`);

  suite(`${recording.kind} in ${recording.apiVersion} answers as recorded`, () => {
    test('columns', () => {
      if (kind.columns === undefined) {
        assert.deepEqual(
          recording.columns.map(({ name }) => name),
          ['Name', 'Created At'],
        );
        return;
      }
      const definitions = kind.columns.definitions.map(({ name, type, format = '', priority }) => {
        return { name, type, format, priority };
      });
      assert.deepEqual(definitions, recording.columns);
    });
    for (const recorded of recording.cases) test(recorded.says, () => replay(kind, recorded));
  });
}

function replay(kind: KindBehavior, recorded: RecordedCase): void {
  const answer = recorded.create === undefined ? answerUpdate(kind, recorded) : answerCreate(kind, recorded.create);
  assert.deepEqual(sorted(answer.causes), sorted(recorded.refused ?? []));
  if (recorded.message !== undefined) assert.equal(answer.message, recorded.message);
  if (recorded.stored === undefined) return;

  const object = likeRecorded(answer.object, recorded);
  assert.deepEqual(object, recorded.stored);
  assert.deepEqual(warningsOf(kind, recorded, answer.object), recorded.warnings ?? []);
  if (kind.columns === undefined) return;
  const created = { ...object, metadata: { ...object.metadata, creationTimestamp: '2026-03-01T12:00:00Z' } };
  const cells = kind.columns.cells(created, context.now);
  assert.deepEqual(
    cells,
    recorded.cells?.map((cell) => (cell === '1s' ? '0s' : cell)),
  );
}

function warningsOf(kind: KindBehavior, { given, subresource }: RecordedCase, object: KubeObject): readonly string[] {
  if (subresource === undefined || given === undefined) return kind.warnings?.(object, given) ?? [];
  return kind.subresources?.[subresource]?.warnings?.(object, given) ?? [];
}

function answerCreate(kind: KindBehavior, sent: KubeObject): Answer {
  const object = decoded(kind, sent);
  return answered(object, () => {
    kind.setDefaults?.(object);
    if (kind.kind === 'Service') planServiceCreate(serviceOf(object), { network: networkOf(), random, dryRun: false });
    kind.prepareForCreate?.(object, context);
    return kind.validate?.(object, context) ?? [];
  });
}

function answerUpdate(kind: KindBehavior, { given, update, subresource }: RecordedCase): Answer {
  assert.ok(given && update);
  const object = decoded(kind, update);
  const old = structuredClone(given);
  // Whoever sends an object has no say in its generation.
  if (old.metadata.generation !== undefined) object.metadata.generation = old.metadata.generation;
  return answered(object, () => {
    kind.setDefaults?.(object);
    const part = subresource === undefined ? kind : kind.subresources?.[subresource];
    assert.ok(part, `no subresource ${subresource}`);
    if (kind.kind === 'Service' && subresource === undefined) {
      planServiceUpdate(serviceOf(object), serviceOf(old), { network: networkOf(old), random, dryRun: false });
    }
    part.prepareForUpdate?.(object, old, context);
    return part.validateUpdate?.(object, old, context) ?? [];
  });
}

/** In wire form, as the server hands objects to their kind. */
function decoded(kind: KindBehavior, sent: KubeObject): KubeObject {
  const type = typeOfKind(kind);
  assert.ok(type, `no type of ${kind.kind}`);
  return decodeTyped(type, sent).object as KubeObject;
}

function answered(object: KubeObject, write: () => readonly FieldError[]): Answer {
  try {
    return { object, causes: write().map(({ type, field, body }) => ({ reason: type, field, message: body })) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { object, causes: error.status.details?.causes ?? [], message: error.status.message ?? '' };
  }
}

function networkOf(...services: readonly KubeObject[]): ServiceNetwork {
  const network = new ServiceNetwork();
  network.take({ ips: ['10.0.0.1'], ports: [] });
  for (const service of services) network.take(claimsOf(serviceOf(service).spec));
  return network;
}

function random(): number {
  return 0.5;
}

/** Addresses and ports that the recorded server drew cannot be ours: they are replaced by what it drew. */
function likeRecorded(object: KubeObject, { create, update, stored }: RecordedCase): KubeObject {
  if (object.kind !== 'Service' || stored === undefined) return object;
  const sent = serviceOf(structuredClone(create ?? update ?? object)).spec;
  const drawn = serviceOf(stored).spec;
  const like = structuredClone(object);
  const { spec } = serviceOf(like);
  if (!sent.clusterIP && spec.clusterIP && drawn.clusterIP) {
    spec.clusterIP = drawn.clusterIP;
    spec.clusterIPs = [drawn.clusterIP];
  }
  for (const [index, port] of (spec.ports ?? []).entries()) {
    const nodePort = drawn.ports?.[index]?.nodePort;
    if (!sent.ports?.[index]?.nodePort && port.nodePort && nodePort) port.nodePort = nodePort;
  }
  if (!sent.healthCheckNodePort && spec.healthCheckNodePort && drawn.healthCheckNodePort) {
    spec.healthCheckNodePort = drawn.healthCheckNodePort;
  }
  return like;
}

/** Go's maps have no order, so causes about their entries come in any. */
function sorted(causes: readonly Cause[]): Cause[] {
  const plain = causes.map(({ reason, field, message }) => ({ reason, field, message }));
  return plain.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
