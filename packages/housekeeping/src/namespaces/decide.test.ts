import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind, Namespace, Outline } from '@flotilla/kube';
import { deletionsIn, dueNow, isOurs, report, type Outcome, type Remains } from './decide.ts';

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
  test('is ours while it leaves and we hold it', () => {
    assert.equal(isOurs(namespace()), true);
    assert.equal(isOurs(namespace({ metadata: { name: 'sea' } })), false);
    assert.equal(isOurs(namespace({ spec: {} })), false);
  });

  test('loses its pods first', () => {
    const pods = remains(kind('pods'));
    const rest = remains(kind('secrets'));
    assert.deepEqual(dueNow([rest, pods]), [pods]);
    assert.deepEqual(dueNow([rest, remains(kind('pods', 'other.example'))]).length, 2);
    assert.deepEqual(dueNow([rest]), [rest]);
  });

  test('loses what is not going yet, and what waits for others that go', () => {
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
  test('lets it go when nothing is left, with five good conditions', () => {
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

  test('leaves the finalizers of others', () => {
    const held = namespace({ spec: { finalizers: ['kubernetes', 'other'] } });
    const { finalized } = report(held, { content: [], failures: new Map() }, now);
    assert.deepEqual(finalized?.spec?.finalizers, ['other']);
  });

  test('counts what remains and what holds it', () => {
    const held = { ...going, finalizers: ['x.y/z'] };
    const { finalized, hasFailed, requeueAfterMs, ...rest } = reported([
      remains(kind('secrets'), [held, held]),
      remains(kind('boats', 'sea.example'), [held]),
    ]);
    assert.equal(finalized, undefined);
    assert.equal(hasFailed, false);
    assert.equal(requeueAfterMs, 8000);
    const told = conditions(rest);
    assert.equal(
      told['NamespaceContentRemaining'],
      'True SomeResourcesRemain: Some resources are remaining: ' +
        'boats.sea.example has 1 resource instances, secrets. has 2 resource instances',
    );
    assert.equal(
      told['NamespaceFinalizersRemaining'],
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: x.y/z in 3 resource instances',
    );
  });

  test('names what could not be deleted', () => {
    const secrets = kind('secrets');
    const failures = new Map([[secrets, new Error('the disk is on fire')]]);
    const { hasFailed, ...rest } = reported([remains(secrets)], { failures });
    assert.equal(hasFailed, true);
    assert.equal(
      conditions(rest)['NamespaceDeletionContentFailure'],
      'True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: the disk is on fire',
    );
  });

  test('wonders at what remains for no reason', () => {
    const { hasFailed, ...rest } = reported([remains(kind('deployments', 'apps'), [going])]);
    assert.equal(hasFailed, true);
    assert.equal(
      conditions(rest)['NamespaceDeletionContentFailure'],
      'True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: ' +
        'unexpected items still remain in namespace: sea for gvr: apps/v1, Resource=deployments',
    );
  });

  test('gives pods their time, and says nothing of what remains meanwhile', () => {
    const { hasFailed, requeueAfterMs, ...rest } = reported([remains(kind('pods'), [going], 100)]);
    assert.equal(hasFailed, false);
    assert.equal(requeueAfterMs, 51_000);
    assert.match(conditions(rest)['NamespaceContentRemaining'] ?? '', /^False/);
  });

  test('wonders at pods whose time is over', () => {
    const { hasFailed, ...rest } = reported([remains(kind('pods'), [going], 30)]);
    assert.equal(hasFailed, true);
    assert.match(conditions(rest)['NamespaceDeletionContentFailure'] ?? '', /for gvr: \/v1, Resource=pods$/);
  });

  test('tells of a discovery that failed', () => {
    const { hasFailed, finalized, ...rest } = reported([], { discoveryFailure: 'nobody home' });
    assert.equal(hasFailed, true);
    assert.equal(finalized, undefined);
    assert.equal(conditions(rest)['NamespaceDeletionDiscoveryFailure'], 'True DiscoveryFailed: nobody home');
  });

  test('is not written again when it says the same', () => {
    const held = { ...going, finalizers: ['x.y/z'] };
    const content = [remains(kind('secrets'), [held])];
    const { status } = reported(content);
    assert.ok(status);
    const later = new Date(now.getTime() + 60_000);
    assert.equal(report(status, { content, failures: new Map() }, later).status, undefined);
  });

  test('keeps the time of a condition that only changes its words', () => {
    const held = { ...going, finalizers: ['x.y/z'] };
    const { status } = reported([remains(kind('secrets'), [held, held])]);
    assert.ok(status);
    const later = new Date(now.getTime() + 60_000);
    const after = report(status, { content: [remains(kind('secrets'), [held])], failures: new Map() }, later).status;
    const times = after?.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime);
    assert.deepEqual(new Set(times), new Set(['2026-01-01T00:01:00Z']));
  });
});
