import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from '../kinds.ts';
import { delayOf, outcomeOf } from './outcome-of.ts';
import { defaultBehaviour, outcomeLabel, type OutcomeRule } from './workload-behaviour.ts';

function pod(uid: string, labels: Record<string, string> = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { uid, name: uid, labels } };
}

function decide(image: string, rules: readonly OutcomeRule[], object = pod('a')): string {
  return outcomeOf(object, image, { ...defaultBehaviour, rules, outcome: 'never' });
}

describe('the outcome of a container', () => {
  test('follows the first rule whose pattern matches the image', () => {
    const rules: OutcomeRule[] = [
      { images: ['nginx:1.26*', 'pause'], outcome: 'ready' },
      { images: ['docker.io/*/nginx'], outcome: 'crash' },
    ];
    assert.equal(decide('docker.io/library/nginx:1.26.2', rules), 'ready');
    assert.equal(decide('registry.test:5000/pause:3.10@sha256:0', rules), 'ready');
    assert.equal(decide('docker.io/library/nginx:1.27', rules), 'crash');
    assert.equal(decide('nginx', rules), 'never');
    assert.equal(decide('pause-not', rules), 'never');
  });

  test('is what the label of the pod says, and unknown values say nothing', () => {
    const rules: OutcomeRule[] = [{ labels: { tier: 'web' }, outcome: 'ready' }];
    assert.equal(decide('nginx', rules, pod('a', { [outcomeLabel]: 'crash', tier: 'web' })), 'crash');
    assert.equal(decide('nginx', rules, pod('a', { [outcomeLabel]: 'constructor', tier: 'web' })), 'ready');
    assert.equal(decide('nginx', [{ labels: { constructor: '' }, outcome: 'ready' }]), 'never');
  });

  test('hits the share of pods that the rule names, the same ones again', () => {
    const rules: OutcomeRule[] = [{ share: 0.3, outcome: 'crash' }];
    const hit = () => Array.from({ length: 1000 }, (_, n) => decide('nginx', rules, pod(`pod-${n}`)) === 'crash');
    const count = hit().filter(Boolean).length;
    assert.ok(count > 250 && count < 350, `${count} of 1000`);
    assert.deepEqual(hit(), hit());
  });
});

test('a delay differs from pod to pod by its jitter', () => {
  const behaviour = { ...defaultBehaviour, delays: { ...defaultBehaviour.delays, pullingMs: 1000, jitter: 0.5 } };
  const delays = Array.from({ length: 200 }, (_, n) => delayOf(pod(`pod-${n}`), 'pullingMs', behaviour));
  assert.ok(delays.every((delay) => delay >= 500 && delay <= 1500));
  assert.ok(Math.max(...delays) - Math.min(...delays) > 800);
  assert.equal(delayOf(pod('a'), 'startingMs', behaviour), 0);
});
