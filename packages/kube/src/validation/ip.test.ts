import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cidrContains, parseCidr } from '../scalars/cidr.ts';
import { formatIp, parseIp } from '../scalars/ip-address.ts';
import { fieldErrorText } from './field-error.ts';
import {
  validateCidr,
  validateInterfaceAddress,
  validateIp,
  validateIpSpelling,
  warningsForCidr,
  warningsForIp,
} from './ip.ts';

test('reads and prints addresses', () => {
  const printed: Record<string, string> = {
    '1.2.3.4': '1.2.3.4',
    '010.0.0.001': '10.0.0.1',
    '::': '::',
    '::1': '::1',
    '1::': '1::',
    '2001:DB8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '1:2:3:4:5:6:7:0': '1:2:3:4:5:6:7:0',
    '1:0:0:2:0:0:0:3': '1:0:0:2::3',
    '::ffff:1.2.3.4': '1.2.3.4',
    '64:ff9b::1.2.3.4': '64:ff9b::102:304',
  };
  for (const [text, expected] of Object.entries(printed)) {
    const ip = parseIp(text);
    assert.ok(ip, text);
    assert.equal(formatIp(ip), expected);
  }
});

test('refuses texts that are no address', () => {
  const refused = [
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '12345::',
    'g::',
    'fe80::1%eth0',
  ];
  for (const text of [
    ...refused,
    '1:2:3:4:5:6:7:8:9',
    '::1.2.3',
    '1.2.3.4::',
    '1:2:3:4:5:6:7::8',
    ':1',
    '1:',
    '99999999999.1.1.1',
  ]) {
    assert.equal(parseIp(text), undefined, text);
  }
});

test('strict fields refuse ambiguous spellings', () => {
  assert.deepEqual(validateIp('f', '1.2.3.04').map(fieldErrorText), [
    'f: Invalid value: "1.2.3.04": must not have leading 0s',
  ]);
  assert.deepEqual(validateIp('f', '::ffff:1.2.3.4').map(fieldErrorText), [
    'f: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
  ]);
  assert.deepEqual(validateIp('f', '::0').map(fieldErrorText), [
    'f: Invalid value: "::0": must be in canonical form ("::")',
  ]);
  assert.deepEqual(validateIpSpelling('f', '1.2.3.04', false), []);
  assert.deepEqual(validateCidr('f', '10.0.0.1/8').map(fieldErrorText), [
    'f: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
  ]);
  assert.deepEqual(validateCidr('f', '10.0.0.0/33').map(fieldErrorText), [
    'f: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
  assert.deepEqual(validateCidr('f', '10.0.0.0/8'), []);
  assert.deepEqual(validateInterfaceAddress('f', '10.0.0.1/8'), []);
});

test('warns about spellings that are accepted for compatibility', () => {
  assert.deepEqual(warningsForIp('f', '1.2.3.04'), ['f: non-standard IP address "1.2.3.04" is invalid: use "1.2.3.4"']);
  assert.deepEqual(warningsForIp('f', '::0'), ['f: IPv6 address "::0" should be in RFC 5952 canonical format ("::")']);
  assert.deepEqual(warningsForCidr('f', '10.0.0.1/8'), [
    'f: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
  ]);
  assert.deepEqual(warningsForCidr('f', '10.0.0.0/8'), []);
});

test('a range contains its addresses and no others', () => {
  const range = parseCidr('10.96.0.0/12');
  const inside = parseIp('10.111.255.255');
  const outside = parseIp('10.112.0.0');
  assert.ok(range && inside && outside);
  assert.equal(cidrContains(range, inside), true);
  assert.equal(cidrContains(range, outside), false);
});
