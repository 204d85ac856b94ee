import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DiscoveredKind } from '@flotilla/client';
import { namedObjects } from './named-kinds.ts';

function aKind(kind: string, group: string, version: string, more: Partial<DiscoveredKind> = {}): DiscoveredKind {
  const singular = kind.toLowerCase();
  const common = { shortNames: [], categories: [], verbs: ['list'], subresources: [], namespaced: true };
  return { ...common, kind, group, version, singular, plural: `${singular}s`, ...more };
}

const kinds = [
  aKind('Event', '', 'v1'),
  aKind('Deployment', 'apps', 'v1', { shortNames: ['deploy'], categories: ['all'] }),
  aKind('Deployment', 'apps', 'v1beta1', { shortNames: ['deploy'], categories: ['all'] }),
  aKind('Event', 'events.k8s.io', 'v1', { categories: ['all'] }),
];

function meaning(...args: string[]): string[] {
  return namedObjects(args, kinds).map(
    ({ kind, names }) => `${kind.plural}.${kind.version}.${kind.group}${names ? `: ${names.join(' ')}` : ''}`,
  );
}

describe('arguments name objects as those of kubectl do', () => {
  const cases: readonly (readonly [args: string, ...meanings: string[]])[] = [
    ['event', 'events.v1.'],
    ['Events.events.k8s.io', 'events.v1.events.k8s.io'],
    ['deploy.v1beta1.apps', 'deployments.v1beta1.apps'],
    ['deploy web api', 'deployments.v1.apps: web api'],
    ['deploy/web event/e', 'deployments.v1.apps: web', 'events.v1.: e'],
    ['deploy,events', 'deployments.v1.apps', 'events.v1.'],
    ['all', 'deployments.v1.apps', 'events.v1.events.k8s.io'],
  ];
  for (const [args, ...meanings] of cases) {
    test(args, () => assert.deepEqual(meaning(...args.split(' ')), meanings));
  }

  test('and errors say what is wrong', () => {
    assert.throws(() => meaning('pods'), /no kind pods/);
    assert.throws(() => meaning('deploy/web', 'api'), /write KIND\/NAME/);
    assert.throws(() => meaning('all/web'), /several kinds/);
  });
});
