import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiscoveredKind } from '@flotilla/client';
import { waitingText } from './waiting-text.ts';

const kind = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', singular: 'namespace' };

test('a deleted object that stays says what holds it', () => {
  const conditions = [
    { type: 'NamespaceContentRemaining', status: 'True', message: 'Some resources are remaining: pods. has 1' },
    { type: 'NamespaceFinalizersRemaining', status: 'False', message: 'no' },
  ];
  const named = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } };
  const discovered = kind as unknown as DiscoveredKind;
  assert.equal(waitingText(discovered, named), 'Waiting until namespace "web" is gone.');
  assert.equal(
    waitingText(discovered, { ...named, spec: { finalizers: ['kubernetes'] }, status: { conditions } }),
    'Waiting until namespace "web" is gone; finalizers kubernetes are left; Some resources are remaining: pods. has 1.',
  );
  const hostile = { ...named, spec: { finalizers: 'x' }, status: { conditions: [null, 7, { type: 1 }] } };
  assert.equal(waitingText(discovered, hostile), 'Waiting until namespace "web" is gone.');
});
