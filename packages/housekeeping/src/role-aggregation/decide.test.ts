import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRole } from '@flotilla/kube';
import { decideAggregation } from './decide.ts';

function rule(verb: string) {
  return { verbs: [verb], apiGroups: [''], resources: ['pods'] };
}

function role(
  name: string,
  verbs: string[],
  more: { labels?: Record<string, string>; of?: string[] } = {},
): ClusterRole {
  const { labels, of } = more;
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, ...(labels && { labels }) },
    rules: verbs.map(rule),
    ...(of && { aggregationRule: { clusterRoleSelectors: of.map((to) => ({ matchLabels: { to } })) } }),
  };
}

/** The verbs that each role gets. */
function decided(...roles: ClusterRole[]): Record<string, unknown> {
  const writes = decideAggregation({ roles }).steps.flat();
  return Object.fromEntries(
    writes.map((write) => {
      const { metadata, rules } = (write.verb === 'update' ? write.object : {}) as ClusterRole;
      return [metadata.name, rules?.flatMap(({ verbs }) => verbs as string[])];
    }),
  );
}

describe('an aggregated role', () => {
  const reader = role('a-reader', ['get', 'list'], { labels: { to: 'view' } });
  const writer = role('b-writer', ['get', 'update'], { labels: { to: 'view' } });

  test('has the rules of all matching roles, each once, in the order of names', () => {
    assert.deepEqual(decided(reader, writer, role('view', [], { of: ['view'] })), { view: ['get', 'list', 'update'] });
  });

  test('is not written if it has them', () => {
    assert.deepEqual(decided(reader, role('view', ['get', 'list'], { of: ['view'] })), {});
  });

  test('loses rules that no matching role has any more', () => {
    assert.deepEqual(decided(role('view', ['get'], { of: ['view'] })), { view: [] });
  });

  test('does not aggregate its own rules', () => {
    const self = role('view', ['watch'], { of: ['view'], labels: { to: 'view' } });
    assert.deepEqual(decided(reader, self), { view: ['get', 'list'] });
  });

  test('has rules in the order of its selectors', () => {
    const other = role('0-other', ['delete'], { labels: { to: 'edit' } });
    assert.deepEqual(decided(other, reader, role('all', [], { of: ['view', 'edit'] })), {
      all: ['get', 'list', 'delete'],
    });
  });

  test('has no rules without selectors', () => {
    assert.deepEqual(decided(reader, role('none', ['get'], { of: [] })), { none: [] });
  });
});
