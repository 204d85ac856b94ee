import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KindBehavior } from '../kind.ts';
import { namespaceKind } from './core/namespace.ts';
import { serviceKind } from './core-services/service.ts';
import { ipAddressKind } from './networking/ip-address.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget.ts';

test('namespaces and services have label names, and the name of a service may begin with a digit', () => {
  assert.deepEqual(problems(namespaceKind, 'a.b'), ['must not contain dots']);
  assert.deepEqual(problems(serviceKind, '1a'), []);
  assert.deepEqual(problems(serviceKind, 'a.b'), ['must not contain dots']);
});

test('a PodDisruptionBudget may have any name that is valid in a path', () => {
  assert.deepEqual(problems(podDisruptionBudgetKind, 'A_b.c'), []);
  assert.deepEqual(problems(podDisruptionBudgetKind, 'a/b'), ["may not contain '/'"]);
});

test('an IPAddress has its canonical address as its name', () => {
  assert.deepEqual(problems(ipAddressKind, '10.0.0.1'), []);
  assert.deepEqual(problems(ipAddressKind, '01.2.3.4'), ['must not have leading 0s']);
  assert.deepEqual(problems(ipAddressKind, '2001:DB8::1'), ['must be in canonical form ("2001:db8::1")']);
  assert.deepEqual(problems(ipAddressKind, 'a"b: c'), [
    'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ]);
});

function problems(kind: KindBehavior, name: string): readonly string[] {
  return kind.nameRule?.(name, false) ?? [];
}
