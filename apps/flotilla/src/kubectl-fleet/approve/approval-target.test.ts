import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { approvalTarget } from './approval-target.ts';

interface Case {
  readonly words: string;
  readonly name?: string;
  readonly namespace?: string;
}

function meant({ words, ...flags }: Case): string {
  const { families, name = 'what waits' } = approvalTarget(words.split(' ').filter(Boolean), flags);
  return `${families.map(({ approvalRequest }) => approvalRequest.kind).join(', ')}: ${name}`;
}

describe('the target of an approval', () => {
  const targets: readonly (readonly [Case, string])[] = [
    [{ words: 'ClusterApprovalRequest', name: 'web' }, 'ClusterApprovalRequest: web'],
    [{ words: 'areq', name: 'web', namespace: 'shop' }, 'ApprovalRequest: web'],
    [{ words: 'careq web' }, 'ClusterApprovalRequest: web'],
    [{ words: 'areq/web', namespace: 'shop' }, 'ApprovalRequest: web'],
    [{ words: 'web' }, 'ClusterApprovalRequest: web'],
    [{ words: 'web', namespace: 'shop' }, 'ApprovalRequest: web'],
    [{ words: '' }, 'ClusterApprovalRequest, ApprovalRequest: what waits'],
    [{ words: '', namespace: 'shop' }, 'ApprovalRequest: what waits'],
    [{ words: 'areq' }, 'ApprovalRequest: what waits'],
  ];
  for (const [given, expected] of targets) {
    test(`of ${Object.values(given).join(' in ')} is ${expected}`, () => assert.equal(meant(given), expected));
  }

  // The sentences of KubeFleet's plugin.
  const mistakes: readonly (readonly [Case, string])[] = [
    [{ words: 'pod', name: 'web' }, 'unsupported resource kind "pod"'],
    [{ words: 'pod web' }, 'unsupported resource kind "pod"'],
    [{ words: 'careq', name: '' }, 'resource name is required'],
    [
      { words: 'careq', name: 'web', namespace: 'shop' },
      'clusterapprovalrequest is cluster-scoped and does not accept a namespace',
    ],
    [{ words: 'AREQ', name: 'web' }, 'namespace is required for approvalrequest (use --namespace or -n flag)'],
  ];
  for (const [given, message] of mistakes) {
    test(`is refused: ${message}`, () => assert.throws(() => meant(given), { message }));
  }
});
