import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Normaliser } from './normalise.ts';

const uid = '8d1a3c52-9f0e-4f2b-8a67-0c1d2e3f4a5b';
const start = Date.parse('2026-01-01T00:00:00Z');

function learned(): Normaliser {
  const normaliser = new Normaliser('scenario-run1');
  normaliser.beginStep(start);
  normaliser.beginStep(start + 10_000);
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web-bdb994647', uid } };
  normaliser.learn('ReplicaSet', owner);
  return normaliser;
}

test('replaces random letters after a known name, and keeps a hash', () => {
  const normaliser = learned();
  assert.equal(normaliser.text('Created pod: web-bdb994647-x7k2p'), 'Created pod: web-bdb994647-*');
  assert.equal(normaliser.text('web-bdb994647'), 'web-bdb994647');
  assert.equal(normaliser.text('other-x7k2p'), 'other-x7k2p');
});

test('replaces a uid by the object that has it, wherever it stands', () => {
  const value = learned().value({ labels: { 'controller-uid': uid }, list: [uid] });
  const text = '<uid of ReplicaSet/web-bdb994647>';
  assert.deepEqual(value, { labels: { 'controller-uid': text }, list: [text] });
});

test('replaces a time by the step in which it lies, and keeps times of other days', () => {
  const normaliser = learned();
  assert.equal(normaliser.text('2026-01-01T00:00:09Z'), '<time 1>');
  assert.equal(normaliser.text('2026-01-01T00:00:10Z'), '<time 2>');
  assert.equal(normaliser.text('2026-01-01T09:00:10+09:00'), '<time 2 +09:00>');
  assert.equal(normaliser.text('2001-01-01T00:00:00Z'), '2001-01-01T00:00:00Z');
});

test('numbers the minutes of Jobs in the order in which they appear', () => {
  const normaliser = learned();
  assert.equal(normaliser.text('tick-29453761'), 'tick-<minute 1>');
  assert.equal(normaliser.text('tick-29453762 after tick-29453761'), 'tick-<minute 2> after tick-<minute 1>');
});
