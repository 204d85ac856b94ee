import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseLooseDuration } from './duration.ts';
import { stringFormat } from './string-formats.ts';

/** What Kubernetes accepts and refuses, by format. */
const samples: Readonly<Record<string, { good: readonly string[]; bad: readonly string[] }>> = {
  uri: {
    good: ['http://a', '/a/b?x', 'mailto:a@b', 'a:', '*', 'http://[::1]:80/', 'http://u:p@h/%20', 'http://é', 'x://h:'],
    bad: [
      '',
      'a',
      'a/b',
      ':a',
      'http://a b',
      'http://[::1',
      'http://[1.2.3.4]',
      '/%zz',
      'http://a:x',
      'http://h/\u0001',
    ],
  },
  email: {
    good: ['a@b', 'A B <a@b.c>', '"a b"@c', 'a@[1.2.3.4]', 'a@b (note)', ' a@b ', 'g: a@b;', 'é@ü', '<a@b>'],
    bad: [
      '',
      'a',
      'a@',
      '@b',
      'a@b, c@d',
      'a..b@c',
      '.a@b',
      'a@b.',
      'a@[x]',
      '""@a',
      'a@b (note',
      'g: a@b, c@d;',
      'g:;',
    ],
  },
  hostname: {
    good: ['a', 'a.bc', 'a-b.example', '1a', 'ä.de', '☃.net', 'a'.repeat(63)],
    bad: ['', 'a_b', 'a.b.c', '-a', 'a-.de', 'a..de', 'a'.repeat(64), 'a.1'],
  },
  ipv4: { good: ['1.2.3.4', '010.0.0.1', '::ffff:1.2.3.4'], bad: ['1.2.3', '::1', '1.2.3.256', ''] },
  ipv6: { good: ['::1', 'fe80::1', '::ffff:1.2.3.4'], bad: ['1.2.3.4', 'fe80::1%eth0', ':::', '00001::', ''] },
  cidr: { good: ['1.2.3.4/8', '::/0'], bad: ['1.2.3.4', '1.2.3.4/33', '/8'] },
  mac: {
    good: ['00:00:5e:00:53:01', '02-00-5E-10-00-00-00-01', '0000.5e00.5301', Array(20).fill('00').join(':')],
    bad: ['00:00:5e:00:53', '00:00-5e:00:53:01', '0000.5e00', '00:00:5e:00:53:0g', ''],
  },
  uuid: { good: ['6F9619FF-8b86-d011-b42d-00cf4fc964ff', '6f9619ff8b86d011b42d00cf4fc964ff'], bad: ['x', ''] },
  uuid3: { good: ['6f9619ff-8b86-3011-b42d-00cf4fc964ff'], bad: ['6f9619ff-8b86-4011-b42d-00cf4fc964ff'] },
  uuid4: { good: ['6f9619ff-8b86-4011-b42d-00cf4fc964ff'], bad: ['6f9619ff-8b86-4011-142d-00cf4fc964ff'] },
  uuid5: { good: ['6f9619ff-8b86-5011-942d-00cf4fc964ff'], bad: ['6f9619ff-8b86-4011-942d-00cf4fc964ff'] },
  isbn: { good: ['0321751043', '978-0321751041', '080442957X'], bad: ['0321751044', '978-0321751042', ''] },
  isbn10: { good: ['0-321-75104-3'], bad: ['978-0321751041'] },
  isbn13: { good: ['978 0321751041'], bad: ['0321751043'] },
  creditcard: { good: ['4111-1111-1111-1111', '5500000000000004'], bad: ['4111-1111-1111-1112', '1', ''] },
  ssn: { good: ['111-22-3333', '111 22 3333'], bad: ['111223333', '111-22-333', ''] },
  hexcolor: { good: ['#fff', 'ABCDEF'], bad: ['#ffff', '#ggg', ''] },
  rgbcolor: { good: ['rgb(255,0, 12)'], bad: ['rgb(256,0,0)', 'rgb(1,2)', ''] },
  byte: { good: ['YQ==', 'YWI=', 'YWJj', '+/+/'], bad: ['', 'YQ', 'Y===', 'YW-_', 'YQ==YQ=='] },
  date: { good: ['2024-02-29'], bad: ['2023-02-29', '2024-2-29', '2024-02-29T', ''] },
  'date-time': {
    good: [
      '2024-01-02T03:04:05Z',
      '2024-01-02t03:04:05.123z',
      '2024-01-02T03:04:05+01:00',
      '2024-01-02T03:04:05,5Z',
      '2024-02-29T03:04:05Z',
      '2024-01-31T23:59:59Z',
    ],
    bad: [
      '2024-01-02',
      '2024-01-02T03:04:05',
      '2024-01-02T24:00:00Z',
      '2024-01-02T03:04:60Z',
      '2024-01-02 03:04:05Z',
      '2023-02-29T03:04:05Z',
      '2024-02-30T03:04:05Z',
      '2024-04-31T03:04:05Z',
      '2024-13-01T03:04:05Z',
      '2024-01-00T03:04:05Z',
    ],
  },
  duration: {
    good: ['1h30m', '22 ns', '1 week', '3 days', '-1s', '0', '5 Minutes'],
    bad: ['', '1', 'x', '1 y', 'one hour'],
  },
  'k8s-short-name': { good: ['a-b', 'a'.repeat(63)], bad: ['A', 'a.b', '-a', 'a'.repeat(64), ''] },
  'k8s-long-name': { good: ['a.b-c', 'a'.repeat(253)], bad: ['a..b', 'A', 'a'.repeat(254), ''] },
  bsonobjectid: { good: ['507f1f77bcf86cd799439011'], bad: ['507f1f77bcf86cd79943901', 'g07f1f77bcf86cd799439011'] },
  password: { good: ['', 'x'], bad: [] },
};

describe('formats of strings', () => {
  for (const [name, { good, bad }] of Object.entries(samples)) {
    test(name, () => {
      const format = stringFormat(name);
      assert.ok(format);
      for (const text of good) assert.ok(format(text), `${name} takes ${JSON.stringify(text)}`);
      for (const text of bad) assert.ok(!format(text), `${name} refuses ${JSON.stringify(text)}`);
    });
  }

  test('others are ignored', () => {
    assert.equal(stringFormat('int-or-string'), undefined);
    assert.equal(stringFormat(''), undefined);
  });
});

test('loose durations are sums of their pieces', () => {
  assert.equal(parseLooseDuration('1 min 2 sec'), 62_000_000_000n);
  assert.equal(parseLooseDuration('1h'), 3_600_000_000_000n);
  assert.equal(parseLooseDuration('99999999999999999999 s'), undefined);
});
