import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goUrlError } from './url.ts';

test('accepts what Go accepts', () => {
  for (const url of [
    'https://a:443/b?%zz#c',
    'https://u:p@a',
    'https://[::1]:8/',
    'https://[fe80::1%25en0]/',
    'https://a/é b',
    'https:x',
    'a:b:c',
    './a:b',
    '//a/b',
    '',
    '*',
  ]) {
    assert.equal(goUrlError(url), undefined, url);
  }
});

test('refuses other texts with its message', () => {
  for (const [url, problem] of [
    [':', 'missing protocol scheme'],
    ['1:b', 'first path segment in URL cannot contain colon'],
    ['https://a/%z', 'invalid URL escape "%z"'],
    ['https://a%20b/', 'invalid URL escape "%20"'],
    ['https://a b', 'invalid character " " in host name'],
    ['https://[::1', "missing ']' in host"],
    ['https://[::1]x', 'invalid port "x" after host'],
    ['https://a:1:2/', 'invalid port ":1:2" after host'],
    ['https://[a]/', 'invalid host: ParseAddr("a"): unable to parse IP'],
    ['https://u ser@a/', 'net/url: invalid userinfo'],
    ['https://a#%zz', 'invalid URL escape "%zz"'],
  ] as const) {
    assert.equal(goUrlError(url), `parse "${url}": ${problem}`);
  }
  assert.equal(
    goUrlError('https://a\u0001/'),
    String.raw`parse "https://a\x01/": net/url: invalid control character in URL`,
  );
});
