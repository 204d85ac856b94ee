import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind, Namespace, Outline } from '@flotilla/kube';
import { deletionsIn, dueNow, shouldEmpty, report, type Outcome, type Remains } from './decide.ts';

const now = new Date('2026-01-01T00:01:00Z');

function kind(plural: string, group = ''): Kind {
  return { group, version: 'v1', kind: plural, plural, namespaced: true };
}

function remains(of: Kind, outlines: readonly Partial<Outline>[] = [{}], graceSeconds = 0): Remains {
  const items = outlines.map((outline, at) => ({
    key: { namespace: 'sea', name: `${of.plural}-${at}` },
    outline: { uid: `${at}`, ...outline },
  }));
  return { kind: of, items, graceSeconds };
}

const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };

function namespace(more: Partial<Namespace> = {}): Namespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'sea', ...going },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating' },
    ...more,
  };
}

function reported(content: readonly Remains[], more: Partial<Outcome> = {}) {
  return report(namespace(), { content, failures: new Map(), ...more }, now);
}

function conditions({ status }: { readonly status?: Namespace }): Record<string, string> {
  const all = status?.status?.conditions ?? [];
  return Object.fromEntries(all.map(({ type, status: is, reason, message }) => [type, `${is} ${reason}: ${message}`]));
}

describe('a namespace', () => {
  test('is emptied while it terminates and has finalizers', () => {
    assert.equal(shouldEmpty(namespace()), true);
    assert.equal(shouldEmpty(namespace({ metadata: { name: 'sea' } })), false);
    assert.equal(shouldEmpty(namespace({ spec: {} })), false);
  });

  test('loses pods first', () => {
    const pods = remains(kind('pods'));
    const rest = remains(kind('secrets'));
    assert.deepEqual(dueNow([rest, pods]), [pods]);
    assert.deepEqual(dueNow([rest, remains(kind('pods', 'other.example'))]).length, 2);
    assert.deepEqual(dueNow([rest]), [rest]);
  });

  test('loses objects that are not being deleted, and those that wait for dependents', () => {
    const content = remains(kind('secrets'), [
      {},
      { ...going, finalizers: ['x.y/z'] },
      { ...going, finalizers: ['orphan'] },
      { ...going, finalizers: ['foregroundDeletion'] },
    ]);
    assert.deepEqual(
      deletionsIn([content]).map(({ uid }) => uid),
      ['0', '2', '3'],
    );
  });
});

describe('the report about a namespace', () => {
  test('removes the finalizer when nothing is left, with five False conditions', () => {
    const { finalized, status } = reported([]);
    assert.deepEqual(finalized?.spec?.finalizers, []);
    assert.equal(finalized?.status?.conditions?.length, 5);
    assert.deepEqual(conditions({ ...(status && { status }) }), {
      NamespaceDeletionDiscoveryFailure: 'False ResourcesDiscovered: All resources successfully discovered',
      NamespaceDeletionGroupVersionParsingFailure:
        'False ParsedGroupVersions: All legacy kube types successfully parsed',
      NamespaceDeletionContentFailure:
        'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
      NamespaceContentRemaining: 'False ContentRemoved: All content successfully removed',
      NamespaceFinalizersRemaining: 'False ContentHasNoFinalizers: All content-preserving finalizers finished',
    });
  });

  test('keeps other finalizers', () => {
    const held = namespace({ spec: { finalizers: ['kubernetes', 'other'] } });
    const { finalized } = report(held, { content: [], failures: new Map() }, now);
    assert.deepEqual(finalized?.spec?.finalizers, ['other']);
  });

  test('counts remaining objects and their finalizers', () => {
    const held = { ...going, finalizers: ['x.y/z'] };
    const { finalized, hasFailed, requeueAfterMs, ...rest } = reported([
      remains(kind('secrets'), [held, held]),
      remains(kind('boats', 'sea.example'), [held]),
    ]);
    assert.equal(finalized, undefined);
    assert.equal(hasFailed, false);
    assert.equal(requeueAfterMs, 8000);
    const reportedConditions = conditions(rest);
    assert.equal(
      reportedConditions['NamespaceContentRemaining'],
      'True SomeResourcesRemain: Some resources are remaining: ' +
        'boats.sea.example has 1 resource instances, secrets. has 2 resource instances',
    );
    assert.equal(
      reportedConditions['NamespaceFinalizersRemaining'],
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: x.y/z in 3 resource instances',
    );
  });

  test('names failed deletions', () => {
    const secrets = kind('secrets');
    const failures = new Map([[secrets, new Error('disk failure')]]);
    const { hasFailed, ...rest } = reported([remains(secrets)], { failures });
    assert.equal(hasFailed, true);
    assert.equal(
      conditions(rest)['NamespaceDeletionContentFailure'],
      'True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: disk failure',
    );
  });

  test('names kinds with objects that remain for no known reason', () => {
    const { hasFailed, ...rest } = reported([remains(kind('deployments', 'apps'), [going])]);
    assert.equal(hasFailed, true);
    assert.equal(
      conditions(rest)['NamespaceDeletionContentFailure'],
      'True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: ' +
        'unexpected items still remain in namespace: sea for gvr: apps/v1, Resource=deployments',
    );
  });

  test('waits for the grace period of pods, and counts no content meanwhile', () => {
    const { hasFailed, requeueAfterMs, ...rest } = reported([remains(kind('pods'), [going], 100)]);
    assert.equal(hasFailed, false);
    assert.equal(requeueAfterMs, 51_000);
    assert.match(conditions(rest)['NamespaceContentRemaining'] ?? '', /^False/);
  });

  test('names pods that outlive their grace period', () => {
    const { hasFailed, ...rest } = reported([remains(kind('pods'), [going], 30)]);
    assert.equal(hasFailed, true);
    assert.match(conditions(rest)['NamespaceDeletionContentFailure'] ?? '', /for gvr: \/v1, Resource=pods$/);
  });

  test('has the message of a failed discovery', () => {
    const { hasFailed, finalized, ...rest } = reported([], { discoveryFailure: 'no answer' });
    assert.equal(hasFailed, true);
    assert.equal(finalized, undefined);
    assert.equal(conditions(rest)['NamespaceDeletionDiscoveryFailure'], 'True DiscoveryFailed: no answer');
  });

  test('is not written again without changes', () => {
    const held = { ...going, finalizers: ['x.y/z'] };
    const content = [remains(kind('secrets'), [held])];
    const { status } = reported(content);
    assert.ok(status);
    const later = new Date(now.getTime() + 60_000);
    assert.equal(report(status, { content, failures: new Map() }, later).status, undefined);
  });

  test('keeps the transition time of a condition if only its message changes', () => {
    const held = { ...going, finalizers: ['x.y/z'] };
    const { status } = reported([remains(kind('secrets'), [held, held])]);
    assert.ok(status);
    const later = new Date(now.getTime() + 60_000);
    const after = report(status, { content: [remains(kind('secrets'), [held])], failures: new Map() }, later).status;
    const times = after?.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime);
    assert.deepEqual(new Set(times), new Set(['2026-01-01T00:01:00Z']));
  });
});
