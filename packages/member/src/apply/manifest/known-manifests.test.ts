import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@flotilla/kube';
import { decodeManifest } from './decode-manifest.ts';
import { knownManifest } from './known-manifests.ts';

const settings = (data: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":${data}}}`;
const read = (text: string) => parseJson(text).value;

test('equal manifests have one result, which is that of decodeManifest', () => {
  const first = knownManifest(read(settings('"1"')));
  assert.equal(knownManifest(read(settings('"1"'))), first);
  assert.deepEqual(first, decodeManifest(read(settings('"1"'))));
  assert.notEqual(knownManifest(read(settings('"2"'))), first);
});

test('manifests that differ in the spelling of a number or in the order of keys have results of their own', () => {
  const texts = [settings('1'), settings('1.0'), settings('{"b":1,"c":2}'), settings('{"c":2,"b":1}')];
  assert.equal(new Set(texts.map((text) => knownManifest(read(text)))).size, texts.length);
});

test('large manifests are decoded each time, and so is what is no manifest', () => {
  const large = settings(`"${'x'.repeat(10_000)}"`);
  assert.notEqual(knownManifest(read(large)), knownManifest(read(large)));
  assert.deepEqual(knownManifest(undefined), decodeManifest(undefined));
  assert.deepEqual(knownManifest('text'), decodeManifest('text'));
});
