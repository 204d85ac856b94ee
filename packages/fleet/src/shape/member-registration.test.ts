import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MemberCluster } from '@flotilla/api';
import { memberAccount } from '../member-credentials.ts';
import { appliedAnnotation, changedMemberCluster, newMemberCluster, type Registration } from './member-registration.ts';

const plain: Registration = {
  labels: {},
  annotations: {},
  taints: [],
  heartbeatPeriodSeconds: 60,
  serviceAccount: memberAccount('oslo').name,
};

function wanting(more: Partial<Registration>): Registration {
  return { ...plain, ...more };
}

/** As a user would with kubectl. */
function edited(member: MemberCluster, labels: Record<string, string | undefined>): MemberCluster {
  const merged = Object.entries({ ...member.metadata.labels, ...labels }).filter(([, value]) => value !== undefined);
  return { ...member, metadata: { ...member.metadata, labels: Object.fromEntries(merged) as Record<string, string> } };
}

describe('the MemberCluster of a shape', () => {
  test('has no annotation of ours if the shape is the default one', () => {
    assert.deepEqual(newMemberCluster('oslo', plain).metadata, { name: 'oslo', labels: {}, annotations: {} });
  });

  test('does not change while the shape does not, whatever a user has changed', () => {
    const shape = wanting({ labels: { env: 'prod', tier: 'a' }, heartbeatPeriodSeconds: 15 });
    const member = edited(newMemberCluster('oslo', shape), { env: 'test', tier: undefined, own: 'yes' });
    assert.equal(changedMemberCluster(member, shape), undefined);
    const { annotations: _annotations, ...metadata } = member.metadata;
    const foreign: MemberCluster = { ...member, metadata: { ...metadata, annotations: {} } };
    assert.equal(changedMemberCluster(foreign, plain), undefined);
  });

  test('gets what changed in the shape, and keeps what a user has changed besides', () => {
    const before = wanting({ labels: { env: 'prod', tier: 'a', old: 'x' }, annotations: { note: 'one' } });
    const after = wanting({ labels: { env: 'prod', tier: 'b', new: 'y' }, heartbeatPeriodSeconds: 15 });
    const member = edited(newMemberCluster('oslo', before), { env: 'test', own: 'yes', old: 'z' });
    const changed = changedMemberCluster(member, after);
    assert.deepEqual(changed?.metadata.labels, { env: 'test', tier: 'b', own: 'yes', new: 'y' });
    assert.deepEqual(Object.keys(changed?.metadata.annotations ?? {}), [appliedAnnotation]);
    assert.equal(changed?.spec.heartbeatPeriodSeconds, 15);
    assert.equal(changed && changedMemberCluster(changed, after), undefined);
    const back = changed && changedMemberCluster(changed, plain);
    assert.deepEqual(back?.metadata.labels, { own: 'yes' });
    assert.deepEqual(back?.metadata.annotations, {});
  });

  test('merges taints by key and effect', () => {
    const taint = (key: string, value?: string) => ({
      key,
      ...(value !== undefined && { value }),
      effect: 'NoSchedule' as const,
    });
    const before = wanting({ taints: [taint('a', '1'), taint('b')] });
    const member = newMemberCluster('oslo', before);
    const live = { ...member, spec: { ...member.spec, taints: [taint('a', 'own'), taint('b'), taint('mine')] } };
    const changed = changedMemberCluster(live, wanting({ taints: [taint('a', '1'), taint('c')] }));
    assert.deepEqual(changed?.spec.taints, [taint('a', 'own'), taint('mine'), taint('c')]);
  });

  test('survives an annotation that a user has broken', () => {
    for (const text of ['', '{', '[]', '{"labels": 5}', '{"taints": [1]}', '{"serviceAccount": {}}']) {
      const member = newMemberCluster('oslo', plain);
      const broken = { ...member, metadata: { ...member.metadata, annotations: { [appliedAnnotation]: text } } };
      const changed = changedMemberCluster(broken, wanting({ labels: { env: 'prod' } }));
      assert.deepEqual(changed?.metadata.labels, { env: 'prod' });
    }
  });
});
