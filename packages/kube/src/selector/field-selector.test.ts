import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { escapeFieldValue, parseFieldSelector } from './field-selector.ts';

const fields: Record<string, string> = { 'metadata.name': 'web', 'status.phase': 'Running', 'spec.nodeName': '' };

function matches(selector: string): boolean {
  return parseFieldSelector(selector).matches((field) => fields[field] ?? '');
}

test('selects by equality and by difference', () => {
  for (const selector of [
    '',
    ',',
    'metadata.name=web',
    'metadata.name==web,',
    'status.phase!=Failed',
    'spec.nodeName=',
    'x!=y',
  ]) {
    assert.equal(matches(selector), true, selector);
  }
  for (const selector of ['metadata.name=api', 'metadata.name=web,status.phase!=Running', 'x=y', 'spec.nodeName!=']) {
    assert.equal(matches(selector), false, selector);
  }
});

test('exactValueOf returns the required value of a field', () => {
  const selector = parseFieldSelector('status.phase!=x,metadata.name=web');
  assert.equal(selector.exactValueOf('metadata.name'), 'web');
  assert.equal(selector.exactValueOf('status.phase'), undefined);
  assert.equal(selector.toString(), 'metadata.name=web,status.phase!=x');
});

test('refuses other texts with Kubernetes’ message', () => {
  const refused: Record<string, string> = {
    'metadata.name': "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    'a=b\\x': 'invalid field selector: invalid escape sequence: \\x',
    'a=b\\': 'invalid field selector: invalid escape sequence: \\',
    'a=b=c': 'invalid field selector: unescaped character in value: 61',
  };
  for (const [text, message] of Object.entries(refused)) {
    assert.throws(() => parseFieldSelector(text), { name: 'SelectorError', message });
  }
});

test('parses every escaped value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (value, other) => {
      const text = `b=${escapeFieldValue(other)},a=${escapeFieldValue(value)}`;
      const selector = parseFieldSelector(text);
      assert.equal(selector.exactValueOf('a'), value);
      assert.equal(selector.exactValueOf('b'), other);
    }),
  );
});

test('parses a selector of a megabyte in linear time', () => {
  assert.equal(parseFieldSelector('a=b,'.repeat(250_000)).terms.length, 250_000);
  assert.throws(() => parseFieldSelector('!'.repeat(1_000_000)));
});
