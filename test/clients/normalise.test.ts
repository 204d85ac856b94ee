import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createNormaliser } from './normalise.ts';

function normaliser(source = '', generatedNames: string[] = []): (text: string) => string {
  return createNormaliser({ root: '/the/run', url: 'https://127.0.0.1:7443', scenario: { source, generatedNames } });
}

describe('the normaliser', () => {
  test('keeps equal uids and resource versions equal, and different ones different', () => {
    const normalise = normaliser();
    const uid = (digit: string): string => `${digit.repeat(8)}-0000-0000-0000-000000000000`;
    assert.equal(normalise(`${uid('a')} ${uid('b')} ${uid('a')}`), '<uid-1> <uid-2> <uid-1>');
    assert.equal(
      normalise('resourceVersion: "7"\n"resourceVersion": "9"'),
      'resourceVersion: "<version-1>"\n"resourceVersion": "<version-2>"',
    );
    assert.equal(normalise('resourceVersion: "9"'), 'resourceVersion: "<version-2>"');
  });

  test('replaces times of this run, and keeps others', () => {
    const now = new Date().toISOString().replace(/\.\d+/, '');
    assert.equal(normaliser()(`${now} 2020-01-01T00:00:00Z`), '<time> 2020-01-01T00:00:00Z');
  });

  test('replaces ages in tables without moving the columns after them', () => {
    assert.equal(normaliser()('x   0s    y\nx   12s   y\nx   9s'), 'x   AGE   y\nx   AGE   y\nx   AGE');
    assert.equal(normaliser()('timeout=1s for 300s'), 'timeout=1s for 300s');
  });

  test('keeps values that the scenario mentions', () => {
    assert.equal(normaliser('nodePort: 30123')('30123 30124 30000-32767'), '30123 <node-port> 30000-32767');
    assert.equal(normaliser('10.0.0.1')('10.0.0.1 10.0.0.2 10.9.8.0/24'), '10.0.0.1 <cluster-ip> 10.9.8.0/24');
    assert.equal(normaliser('10.0.0.201')('10.0.0.201 10.0.0.20'), '10.0.0.201 <cluster-ip>');
  });

  test('replaces random letters only after the prefixes that the scenario names', () => {
    assert.equal(normaliser('', ['gen-'])('gen-x7k2p web-x7k2p gen-long-name'), 'gen-<random> web-x7k2p gen-long-name');
  });

  test('replaces URLs and folders', () => {
    assert.equal(
      normaliser()('https://127.0.0.1:7443/api 127.0.0.1:7443 /the/run/tmp/LIVE-123/x'),
      '<server>/api <server-address> <root>/tmp/LIVE-<n>/x',
    );
  });
});
