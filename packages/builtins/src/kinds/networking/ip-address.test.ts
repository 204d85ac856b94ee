import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ipAddressFor, ipAddressKind } from './ip-address.ts';

const now = new Date('2026-03-01T12:00:00Z');
const context = { now, user: '', groups: [] };

test('the IPAddress of a service is valid and refers to the service', () => {
  const address = ipAddressFor('10.0.0.1', { name: 'kubernetes', namespace: 'default' });
  assert.deepEqual(ipAddressKind.validate?.(address, context), []);
  assert.equal(ipAddressKind.columns?.cells(address, now)[1], 'services/default/kubernetes');
});
