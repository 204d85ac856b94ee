import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Taint } from '@flotilla/api';
import { decideMembership } from './decide.ts';
import { defaultMembership } from './member-state.ts';
import { aMember, aState, now } from './member.testing.ts';
import { parseTaint } from './new-member-taint.ts';

const newMemberTaint: Taint = { key: 'example.com/new', value: 'yes', effect: 'NoSchedule' };

/** The spec that the first patch of a member sets; undefined without one. */
function patchedSpec(finalizers: string[], taints?: Taint[]): unknown {
  const cluster = aMember({ finalizers, labels: {} });
  const spec = { ...cluster.spec, ...(taints && { taints }) };
  const { steps } = decideMembership(
    aState({ cluster: { ...cluster, spec } }),
    { ...defaultMembership, newMemberTaint },
    now,
  );
  const [write] = steps.flat();
  return write?.verb === 'patch' ? write.patch['spec'] : undefined;
}

describe('the taint of new members', () => {
  test('comes with the finalizer, beside taints that the member has', () => {
    const own: Taint = { key: 'gpu', effect: 'NoSchedule' };
    assert.deepEqual(patchedSpec([]), { taints: [newMemberTaint] });
    assert.deepEqual(patchedSpec([], [own]), { taints: [own, newMemberTaint] });
  });

  test('does not come back once the member is known, nor where it has a taint with that key', () => {
    assert.equal(patchedSpec(['kubernetes-fleet.io/membercluster-finalizer']), undefined);
    assert.equal(patchedSpec([], [{ ...newMemberTaint, value: 'no' }]), undefined);
  });

  test('is not added to a member that has as many as the schema allows', () => {
    const many = Array.from({ length: 100 }, (_, index): Taint => ({ key: `k${index}`, effect: 'NoSchedule' }));
    assert.equal(patchedSpec([], many), undefined);
  });
});

test('taints are read as kubectl writes them', () => {
  assert.deepEqual(parseTaint('example.com/new=yes:NoSchedule'), { taint: newMemberTaint });
  assert.deepEqual(parseTaint('new:NoSchedule'), { taint: { key: 'new', effect: 'NoSchedule' } });
  for (const text of ['', 'new', 'new=yes', 'new:NoExecute', '=yes:NoSchedule', 'a b:NoSchedule', 'a=b=c:NoSchedule']) {
    const parsed = parseTaint(text);
    assert.ok('problem' in parsed && parsed.problem.startsWith(`"${text}" is not a taint`), text);
  }
});
