import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managerName } from './managers.ts';

test('a manager calls itself what it wants', () => {
  assert.equal(managerName('me', 'kubectl/v1.36'), 'me');
});

test('otherwise the product in its User-Agent is its name', () => {
  assert.equal(managerName('', 'kubectl/v1.36.4 (linux/amd64) kubernetes/abc'), 'kubectl');
  assert.equal(managerName('', 'curl'), 'curl');
  assert.equal(managerName('', ''), '');
});

test('leaves out what cannot be printed, and ends after 128 bytes', () => {
  assert.equal(managerName('', 'a\u0007b\u200bc d/1'), 'abc d');
  assert.equal(managerName('', 'x'.repeat(200)), 'x'.repeat(128));
  assert.equal(managerName('', `${'x'.repeat(127)}éy`), 'x'.repeat(127));
});
