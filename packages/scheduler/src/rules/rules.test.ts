import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy, Toleration } from '@flotilla/api';
import type { ClusterParts } from '../scheduling.testing.ts';
import { property, rejectionOf, requiring } from './rejection.testing.ts';

describe('eligibility', () => {
  const cases: Record<string, { readonly parts: ClusterParts; readonly reason: string; readonly check: string }> = {
    'a cluster that leaves': { parts: { isLeaving: true }, reason: 'cluster has left the fleet', check: 'left' },
    'an agent that never reported': {
      parts: { agent: null },
      reason: 'cluster is not connected to the fleet: member agent not online yet',
      check: 'offline',
    },
    'a late heartbeat': {
      parts: { agent: { heartbeat: '2026-01-01T11:54:59Z' } },
      reason: 'cluster is not connected to the fleet: no recent heartbeat signals (last received 5.02 minutes ago)',
      check: 'silent',
    },
    'no heartbeat at all, with the age that Go prints': {
      parts: { agent: { heartbeat: 'never' } },
      reason:
        'cluster is not connected to the fleet: no recent heartbeat signals (last received 153722867.28 minutes ago)',
      check: 'silent',
    },
    'an agent that has not joined': {
      parts: { agent: { joined: 'False' } },
      reason: 'cluster is not connected to the fleet: member agent not joined yet',
      check: 'not joined',
    },
    'an agent that does not know its health': {
      parts: { agent: { healthy: undefined } },
      reason: 'cluster is not connected to the fleet: health condition from member agent is not available',
      check: 'health unknown',
    },
    'an agent that is unhealthy for long': {
      parts: { agent: { healthy: 'False', healthSince: '2026-01-01T11:50:00Z' } },
      reason:
        'cluster is not connected to the fleet: unhealthy for a prolonged period of time (last transitioned 10.00 minutes ago)',
      check: 'unhealthy',
    },
  };
  for (const [title, { parts, reason, check }] of Object.entries(cases)) {
    test(`rejects ${title}`, () => {
      assert.deepEqual(rejectionOf(parts), {
        plugin: 'ClusterEligibility',
        reasons: [reason],
        evidence: { kind: 'eligibility', check },
      });
    });
  }

  test('lasts for the timeouts to the millisecond, and no longer', () => {
    assert.equal(rejectionOf({ agent: { heartbeat: '2026-01-01T11:55:00Z' } }), undefined);
    assert.equal(rejectionOf({ agent: { healthy: 'False', healthSince: '2026-01-01T11:55:00Z' } }), undefined);
  });
});

describe('namespace affinity', () => {
  const reason = (parts: ClusterParts, namespace: string | undefined): string | undefined =>
    rejectionOf(parts, {}, { namespace })?.reasons[0];
  const reporting: ClusterParts = { collectsNamespaces: 'True', namespaces: { web: 'work' } };

  test('sends a namespaced placement to clusters with its namespace', () => {
    assert.equal(reason(reporting, 'web'), undefined);
    assert.equal(reason(reporting, 'api'), 'target namespace does not exist on cluster');
    assert.equal(reason(reporting, 'constructor'), 'target namespace does not exist on cluster');
    assert.equal(
      reason({ ...reporting, collectsNamespaces: 'False' }, 'api'),
      'target namespace does not exist on cluster',
    );
    assert.equal(reason({ collectsNamespaces: 'True' }, 'web'), 'cluster has no namespace information available');
  });

  test('lets clusters pass that do not report namespaces', () => {
    assert.equal(reason({ namespaces: {} }, 'web'), undefined);
  });

  test('does not concern cluster-scoped placements', () => assert.equal(reason(reporting, undefined), undefined));
});

describe('taints', () => {
  const taint = { key: 'gpu', value: 'a100', effect: 'NoSchedule' } as const;
  const tolerating = (...tolerations: Toleration[]): string | undefined =>
    rejectionOf({ taints: [taint] }, { tolerations })?.reasons[0];
  const refusal = 'taint &{Key:gpu Value:a100 Effect:NoSchedule} cannot be tolerated';

  test('are tolerated by their key and value, by their key alone, or all of them', () => {
    assert.equal(tolerating({ key: 'gpu', operator: 'Equal', value: 'a100' }), undefined);
    assert.equal(tolerating({ key: 'gpu', operator: 'Exists' }), undefined);
    assert.equal(tolerating({ operator: 'Exists', effect: 'NoSchedule' }), undefined);
    assert.equal(tolerating({ key: 'cpu', operator: 'Exists' }, { key: 'gpu', operator: 'Exists' }), undefined);
  });

  test('reject clusters otherwise', () => {
    assert.equal(tolerating(), refusal);
    assert.equal(tolerating({ key: 'gpu', operator: 'Equal', value: 'h100' }), refusal);
    assert.equal(tolerating({ key: 'cpu', operator: 'Exists' }), refusal);
    assert.equal(tolerating({ key: 'gpu', operator: 'Equal' }), refusal);
  });

  test('are reported one at a time, the first that is not tolerated', () => {
    const second = { key: 'disk', effect: 'NoSchedule' } as const;
    const rejection = rejectionOf({ taints: [taint, second] }, { tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    assert.deepEqual(rejection, {
      plugin: 'TaintToleration',
      reasons: ['taint &{Key:disk Value: Effect:NoSchedule} cannot be tolerated'],
      evidence: { kind: 'taint', taint: second },
    });
  });
});

test("clusters beside the caller's candidates are rejected", () => {
  assert.equal(rejectionOf({}, {}, { candidates: new Set(['sea']) }), undefined);
  assert.deepEqual(rejectionOf({}, {}, { candidates: new Set(['lake']) }), {
    plugin: 'Candidates',
    reasons: ['cluster is not among the candidate clusters'],
    evidence: { kind: 'candidates' },
  });
});

test('the first rule that fails gives the reason: affinity, eligibility, namespace, taints', () => {
  const parts = {
    isLeaving: true,
    collectsNamespaces: 'True',
    taints: [{ key: 'gpu', effect: 'NoSchedule' }],
  } as const satisfies ClusterParts;
  const first = (more: ClusterParts, policy: Partial<PlacementPolicy> = {}): string | undefined =>
    rejectionOf({ ...parts, ...more }, policy, { namespace: 'web' })?.plugin;
  assert.equal(first({}, requiring(property('x', 'Gt', '1'))), 'ClusterAffinity');
  assert.equal(first({}), 'ClusterEligibility');
  assert.equal(first({ isLeaving: false }), 'NamespaceAffinity');
  assert.equal(first({ isLeaving: false, namespaces: { web: '' } }), 'TaintToleration');
});
