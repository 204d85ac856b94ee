import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson, stringifyJson, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Found, Read } from '../admission/fleet-check.ts';
import { checkSettingsOf, fleetChecks } from '../admission/fleet-checks.ts';
import { answerReview, NotAReview } from './review.ts';

const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'fleet-rolebinding-sea', namespace: 'fleet-member-sea' },
  subjects: [{ kind: 'User', name: 'sea' }],
};

/** The server has the RoleBinding of one member, and serves namespaces. */
const find = (read: Read): Promise<Found> => {
  if (read.read === 'object')
    return Promise.resolve({ objects: read.key.name === binding.metadata.name ? [binding] : [] });
  if (read.read === 'objects') return Promise.resolve({ objects: [] });
  if (read.read === 'right') {
    return Promise.resolve({ objects: [], isAllowed: read.user.extra?.['team']?.[0] === read.right.name });
  }
  return Promise.resolve({ objects: [], kind: read.gvk.kind === 'Namespace' ? { namespaced: false } : undefined });
};

const context = { find, hubUser: 'hub', now: () => new Date('2026-01-01T12:00:00Z') };

const checks = fleetChecks(checkSettingsOf({}), 'hub');

async function answer(webhook: string, request: JsonObject): Promise<JsonObject> {
  const check = checks.find((one) => one.webhook === webhook) ?? assert.fail(webhook);
  const review = await answerReview(check, { request: { uid: 'u1', ...request } }, context);
  assert.deepEqual([review['apiVersion'], review['kind']], ['admission.k8s.io/v1', 'AdmissionReview']);
  const { uid, ...response } = review['response'] as JsonObject;
  assert.equal(uid, 'u1');
  return response;
}

function patchIn({ patchType, patch }: JsonObject): JsonValue {
  assert.equal(patchType, 'JSONPatch');
  return parseJson(Buffer.from(patch as string, 'base64').toString()).value;
}

describe('the guard of Works', () => {
  const work = (value: JsonValue): JsonObject => ({
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { name: 'shop', namespace: 'fleet-member-sea' },
    spec: { workload: { manifests: [{ data: { value } }] } },
  });
  const update = (username: string, groups: string[], from: JsonValue, to: JsonValue): JsonObject => ({
    operation: 'UPDATE',
    resource: { group: 'placement.kubernetes-fleet.io', version: 'v1beta1', resource: 'works' },
    namespace: 'fleet-member-sea',
    userInfo: { username, groups },
    object: work(to),
    oldObject: work(from),
  });
  const allowed = async (...change: Parameters<typeof update>): Promise<unknown> =>
    (await answer('fleet.members.works', update(...change)))['allowed'];

  test('refuses the member what is not its own, and lets all others pass', async () => {
    assert.equal(await allowed('sea', [], 'a', 'b'), false);
    assert.equal(await allowed('sea', [], 'a', 'a'), true);
    assert.equal(await allowed('anna', [], 'a', 'b'), true);
    assert.equal(await allowed('hub', [], 'a', 'b'), true);
    assert.equal(await allowed('sea', ['system:masters'], 'a', 'b'), true);
  });

  test('sees a difference between large numbers', async () => {
    const [one, other] = [9007199254740992n, 9007199254740993n] as unknown as [JsonValue, JsonValue];
    const body = update('sea', [], one, other);
    const read = parseJson(stringifyJson(body)).value as JsonObject;
    assert.equal((await answer('fleet.members.works', read))['allowed'], false);
  });

  test('says why, with the code that users of RBAC know', async () => {
    const { status } = await answer('fleet.members.works', update('sea', [], 'a', 'b'));
    const { code, reason, message } = status as JsonObject;
    assert.deepEqual([code, reason], [403, 'Forbidden']);
    assert.match(message as string, /a member may add or remove the finalizer .* this would change spec$/);
  });

  test('keeps the entries of other field managers', async () => {
    const request = update('sea', [], 'a', 'a');
    const owned = { manager: 'hub', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:spec': {} } };
    const before = request['oldObject'] as JsonObject;
    const oldObject = { ...before, metadata: { ...(before['metadata'] as JsonObject), managedFields: [owned] } };
    const response = await answer('fleet.members.owners', { ...request, oldObject });
    const metadata = { ...(before['metadata'] as JsonObject), managedFields: [owned] };
    assert.deepEqual(patchIn(response), [{ op: 'add', path: '/metadata', value: metadata }]);
    assert.deepEqual(await answer('fleet.members.owners', request), { allowed: true });
  });
});

describe('the webhooks of placements', () => {
  const placement = (kind: string): JsonObject => ({
    operation: 'CREATE',
    resource: { group: 'placement.kubernetes-fleet.io', version: 'v1beta1', resource: 'clusterresourceplacements' },
    object: {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'ClusterResourcePlacement',
      metadata: { name: 'p' },
      spec: { resourceSelectors: [{ group: '', version: 'v1', kind, name: 'x' }] },
    },
  });

  test('complete the spec, once', async () => {
    const request = placement('Namespace');
    const [operation] = patchIn(
      await answer('fleet.clusterresourceplacementv1beta1.mutating', request),
    ) as JsonObject[];
    assert.deepEqual([operation?.['op'], operation?.['path']], ['add', '/spec']);
    const object = { ...(request['object'] as JsonObject), spec: operation?.['value'] ?? null };
    const again = await answer('fleet.clusterresourceplacementv1beta1.mutating', { ...request, object });
    assert.deepEqual(again, { allowed: true });
  });

  test('refuse kinds that the server does not serve', async () => {
    const name = 'fleet.clusterresourceplacementv1beta1.validating';
    assert.equal((await answer(name, placement('Namespace')))['allowed'], true);
    const { allowed, status } = await answer(name, placement('Banana'));
    assert.equal(allowed, false);
    assert.match((status as JsonObject)['message'] as string, /no matches for kind "Banana"/);
  });
});

describe('the webhooks of OCM', () => {
  const resource = { group: 'cluster.open-cluster-management.io', version: 'v1', resource: 'managedclusters' };
  const metadata = { name: 'sea', labels: { 'cluster.open-cluster-management.io/clusterset': 'blue' } };
  const object = { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster', metadata };

  test('ask for the rights of the user with all its attributes', async () => {
    const name = 'managedclustervalidators.admission.cluster.open-cluster-management.io';
    const userInfo = (team: string) => ({ username: 'anna', extra: { team: [team] } });
    const request = { operation: 'CREATE', resource, object };
    assert.deepEqual(await answer(name, { ...request, userInfo: userInfo('blue') }), { allowed: true });
    const { status } = await answer(name, { ...request, userInfo: userInfo('red') });
    assert.match(
      (status as JsonObject)['message'] as string,
      /^managedclustersets\/join\.cluster.* "blue" is forbidden: /,
    );
  });

  test('refuse an invalid object with the code 400', async () => {
    const spec = { taints: [{ key: 'gpu', effect: 'NoSelect', timeAdded: '2026-01-01T00:00:00Z' }] };
    const request = { operation: 'UPDATE', resource, object: { ...object, spec }, oldObject: object };
    const name = 'managedclustermutators.admission.cluster.open-cluster-management.io';
    const { status } = await answer(name, request);
    const { code, reason } = status as JsonObject;
    assert.deepEqual([code, reason], [400, 'BadRequest']);
  });
});

describe('a body that is no review', () => {
  const [check] = checks;
  const bodies: [string, JsonValue][] = [
    ['is null', null],
    ['is a list', []],
    ['has no request', { response: {} }],
    ['has a request without uid', { request: { operation: 'CREATE', resource: {} } }],
    ['has another operation', { request: { uid: 'u', operation: 'FLY', resource: {} } }],
    ['has an object without metadata', { request: { uid: 'u', operation: 'UPDATE', resource: {}, object: { a: 1 } } }],
  ];
  for (const [what, body] of bodies) {
    test(`is refused if it ${what}`, async () => {
      assert.ok(check);
      await assert.rejects(answerReview(check, body, context), NotAReview);
    });
  }
});
