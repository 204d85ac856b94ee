import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteContext } from '../../kind.ts';
import { aPod } from './pod.testing.ts';
import type { PodSpecFields } from './pod-fields.ts';
import { podKind } from './pod.ts';

const context: WriteContext = { now: new Date('2026-03-01T12:00:00Z'), user: 'mallory', groups: [] };

function errorsOf(spec: PodSpecFields): number {
  const pod = aPod(spec);
  podKind.setDefaults?.(pod);
  podKind.prepareForCreate?.(pod, context);
  podKind.warnings?.(pod, undefined);
  return podKind.validate?.(pod, context).length ?? 0;
}

test('reports more errors than fit on the stack', () => {
  const labels = Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`!${i}`, '!']));
  assert.equal(errorsOf({ nodeSelector: labels }), 300_000);
});

test('accepts names of properties of JavaScript objects', () => {
  const limits = JSON.parse('{"__proto__": "1", "constructor": "2"}') as Record<string, string>;
  const pod = aPod({ containers: [{ name: 'a', image: 'x', resources: { limits } }] });
  podKind.setDefaults?.(pod);
  const { requests } = pod.spec.containers?.[0]?.resources ?? {};
  assert.deepEqual(Object.entries(requests ?? {}), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
  const bodies = podKind.validate?.(pod, context).map(({ field }) => field) ?? [];
  assert.ok(bodies.includes('spec.containers[0].resources.limits[__proto__]'));
});

test('compares thousands of equal items in linear time', () => {
  const count = 20_000;
  const ports = Array.from({ length: count }, () => ({ containerPort: 80, name: 'web' }));
  const env = Array.from({ length: count }, () => ({ name: 'A', value: 'b' }));
  assert.equal(errorsOf({ containers: [{ name: 'a', image: 'x', ports, env }] }), count - 1);
});
