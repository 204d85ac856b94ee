import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { canonicalQuantity, parseQuantity, Quantity } from './quantity.ts';

test('prints quantities as Kubernetes prints them after reading', () => {
  const printed: Record<string, string> = {
    '1': '1',
    '1.5': '1500m',
    '0.5': '500m',
    '1.0': '1',
    '1000m': '1',
    '1500m': '1500m',
    '2048Ki': '2Mi',
    '1024': '1024',
    '0.5Gi': '512Mi',
    '1.5Gi': '1536Mi',
    '1000000': '1M',
    '1500k': '1500k',
    '1e3': '1e3',
    '1e-3': '1e-3',
    '1E': '1E',
    '1e5': '100e3',
    '12e4': '120e3',
    '1e400': '10e399',
    '1e2000': '100e1998',
    '1e-2000': '1e-9',
    '0.0000000001': '1n',
    '1025Ki': '1025Ki',
    '1000Ki': '1000Ki',
    '0.1Ki': '102400m',
    '1000Ei': '9223372036854775807',
    '9223372036854775808': '9223372036854775808',
    '0': '0',
    '00': '0',
    '0m': '0',
    '0e5': '0',
    '0.000Ki': '0',
    '-0': '0',
    '+0': '0',
    '.': '0',
    '.5': '500m',
    '-1500Mi': '-1500Mi',
    '-2048Ki': '-2Mi',
    ' 1 ': '1',
  };
  for (const [text, expected] of Object.entries(printed)) assert.equal(canonicalQuantity(text), expected, text);
});

test('keeps and drops the same spellings as Kubernetes', () => {
  for (const text of ['+5', '5.', '010', '1.500']) assert.equal(canonicalQuantity(text), text);
  assert.equal(canonicalQuantity('10000000000000000000000'), '10');
});

test('accepts numbers', () => {
  assert.equal(canonicalQuantity(5), '5');
  assert.equal(canonicalQuantity(5.5), '5500m');
});

test('refuses texts that are no quantity with Go’s message', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const text of ['', '1x', '1.5.5', '1e1.5', '1KiB', '3MB', 'true']) {
    assert.throws(() => canonicalQuantity(text), { name: 'QuantityError', message: format }, text);
  }
  for (const text of ['1Ki1', '--1', '1e', '1ee', '100e', '1e99999999999999999999']) {
    assert.throws(() => canonicalQuantity(text), { message: "unable to parse quantity's suffix" }, text);
  }
  assert.throws(() => canonicalQuantity('-Ei'), { message: 'unable to parse numeric part of quantity' });
  assert.equal(canonicalQuantity('-Ki'), '0');
});

test('rounds away from zero', () => {
  assert.equal(parseQuantity('1500m').value(), 2n);
  assert.equal(parseQuantity('-1500m').value(), -2n);
  assert.equal(parseQuantity('1').milliValue(), 1000n);
  assert.equal(parseQuantity('1u').milliValue(), 1n);
  assert.equal(parseQuantity('1Gi').value(), 1073741824n);
});

test('adds in the format of the first that is not zero', () => {
  assert.equal(Quantity.zero.plus(parseQuantity('1Gi')).plus(parseQuantity('1024Mi')).toString(), '2Gi');
  assert.equal(parseQuantity('100m').plus(parseQuantity('1')).toString(), '1100m');
  assert.equal(parseQuantity('1').minus(parseQuantity('1500m')).toString(), '-500m');
});

test('handles huge exponents', () => {
  const huge = parseQuantity('1e2147483647');
  const tiny = parseQuantity('1n');
  assert.equal(huge.toString(), '10e2147483646');
  assert.ok(huge.compare(tiny) > 0);
  assert.ok(huge.plus(tiny).equals(huge));
  assert.equal(huge.value(), 2n ** 63n - 1n);
});

const quantities = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    fc.nat(12),
    fc.constantFrom('', 'n', 'm', 'k', 'G', 'Ki', 'Gi', 'e3', 'e-5'),
  )
  .map(([digits, decimals, suffix]) => `${withDecimals(digits, decimals)}${suffix}`);

test('prints its own output unchanged', () => {
  fc.assert(
    fc.property(quantities, (text) => {
      const printed = canonicalQuantity(text);
      // Beyond exa there is no suffix, so Kubernetes loses that magnitude as well.
      fc.pre(parseQuantity(printed).compare(parseQuantity(text)) === 0);
      assert.equal(canonicalQuantity(printed), printed);
    }),
  );
});

test('comparing agrees with subtracting', () => {
  fc.assert(
    fc.property(quantities, quantities, (a, b) => {
      const left = parseQuantity(a);
      const right = parseQuantity(b);
      assert.equal(Math.sign(left.compare(right)), left.minus(right).sign);
      assert.ok(left.plus(right).minus(right).equals(left));
    }),
  );
});

test('converts whole amounts to int64 and all amounts to doubles', () => {
  const whole: Record<string, bigint | undefined> = {
    '5': 5n,
    '5k': 5000n,
    '1Ki': 1024n,
    '-2M': -2_000_000n,
    '1.0': undefined,
    '1000m': undefined,
    '50000000G': 50_000_000_000_000_000n,
    '50000000000G': undefined,
  };
  for (const [text, value] of Object.entries(whole)) assert.equal(parseQuantity(text).toInt64(), value, text);
  assert.equal(parseQuantity('1500m').toNumber(), 1.5);
  assert.equal(parseQuantity('1Gi').toNumber(), 2 ** 30);
});

function withDecimals(digits: bigint, decimals: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0');
  return decimals === 0 ? sign + text : `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
