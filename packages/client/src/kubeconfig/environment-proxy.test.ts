import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentProxy } from './environment-proxy.ts';

const proxy = 'http://proxy:3128';

function proxied(server: string, exceptions: string): boolean {
  return environmentProxy(new URL(server), { HTTPS_PROXY: proxy, NO_PROXY: exceptions }) === proxy;
}

test('servers on this machine never use a proxy', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '[::1]']) assert.ok(!proxied(`https://${host}:6443`, ''));
  assert.ok(proxied('https://example.com', ''));
});

test('NO_PROXY takes domains, addresses, networks and ports', () => {
  const cases: [server: string, exceptions: string, proxied: boolean][] = [
    ['https://api.example.com', '*', false],
    ['https://api.example.com', 'example.com', false],
    ['https://api.example.com', '.example.com', false],
    ['https://example.com', '.example.com', true],
    ['https://badexample.com', 'example.com', true],
    ['https://api.example.com:6443', 'example.com:6443', false],
    ['https://api.example.com:6443', 'example.com:443', true],
    ['https://10.1.2.3', '10.1.2.3', false],
    ['https://10.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '192.168.0.0/16,10.1.2.4', true],
    ['https://[fd00::1]', 'fd00::/8', false],
    ['https://10.1.2.3', '10.0.0.0/99, /, :', true],
  ];
  for (const [server, exceptions, expected] of cases) {
    assert.equal(proxied(server, exceptions), expected, `${server} with ${exceptions}`);
  }
});
