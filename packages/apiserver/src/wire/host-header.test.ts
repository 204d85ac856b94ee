import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostRefusal } from './host-header.ts';

test("invalid Host headers are refused with Go's messages", () => {
  assert.equal(hostRefusal('1.1', ['Accept', '*/*', 'hOSt', 'localhost:6443']), undefined);
  assert.equal(hostRefusal('1.1', ['Host', '']), undefined);
  assert.equal(hostRefusal('1.1', ['Host', '[::1%25eth0]:443']), undefined);
  assert.equal(hostRefusal('1.0', []), undefined);
  assert.equal(hostRefusal('1.1', []), 'Bad Request: missing required Host header');
  assert.equal(hostRefusal('1.1', ['Host', 'a b']), 'Bad Request: malformed Host header');
  assert.equal(hostRefusal('1.1', ['Host', 'a', 'host', 'a']), 'Bad Request');
  assert.equal(hostRefusal('1.0', ['Host', 'a', 'Host', '']), 'Bad Request');
});
