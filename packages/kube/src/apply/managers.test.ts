import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managerName } from './managers.ts';

test('the fieldManager parameter names the manager', () => {
  assert.equal(managerName('me', 'kubectl/v1.36'), 'me');
});

test('the User-Agent names the manager without a fieldManager', () => {
  assert.equal(managerName('', 'kubectl/v1.36.4 (linux/amd64) kubernetes/abc'), 'kubectl');
  assert.equal(managerName('', 'curl'), 'curl');
  assert.equal(managerName('', ''), '');
});

test('drops unprintable characters, and cuts after 128 bytes', () => {
  assert.equal(managerName('', 'a\u0007b\u200bc d/1'), 'abc d');
  assert.equal(managerName('', 'x'.repeat(200)), 'x'.repeat(128));
  assert.equal(managerName('', `${'x'.repeat(127)}éy`), 'x'.repeat(127));
});
