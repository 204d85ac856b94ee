import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLatestImage } from './container-defaults.ts';

const sha256 = `sha256:${'e3b0c442'.repeat(8)}`;

test('an image without tag and digest is latest', () => {
  for (const image of [
    'nginx',
    'nginx:latest',
    'user/repo',
    'host:5000/repo',
    'localhost/repo',
    `host:5000/r:latest@${sha256}`,
  ]) {
    assert.equal(isLatestImage(image), true, image);
  }
});

test('a tag or a digest pins the image', () => {
  for (const image of ['nginx:1.27', `nginx@${sha256}`, 'host:5000/repo:v1', 'user/repo:Latest']) {
    assert.equal(isLatestImage(image), false, image);
  }
});

test('an invalid image reference is not latest', () => {
  const bad = [
    '',
    ' ',
    'NGINX',
    'http://nginx',
    'e3b0c442'.repeat(8),
    'a'.repeat(300),
    'nginx@sha256:abc',
    'a//b',
    '-a',
    'a:',
  ];
  for (const image of bad) assert.equal(isLatestImage(image), false, image);
});
