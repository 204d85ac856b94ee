import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { YamlError } from './yaml-error.ts';
import { yamlText } from './yaml-text.ts';

describe('the bytes of a YAML document', () => {
  test('are UTF-8, or UTF-16 that begins with its mark', () => {
    assert.equal(yamlText(Buffer.from('a: é')), 'a: é');
    assert.equal(yamlText(Buffer.from('\ufeffa: é', 'utf16le')), 'a: é');
    assert.equal(yamlText(Buffer.from('\ufeffa: é', 'utf16le').swap16()), 'a: é');
  });

  for (const [hex, fault] of [
    ['613a20ff', 'invalid leading UTF-8 octet'],
    ['613a20e282', 'incomplete UTF-8 octet sequence'],
    ['613a20e24141', 'invalid trailing UTF-8 octet'],
    ['613a20c080', 'invalid length of a UTF-8 sequence'],
    ['613a20eda080', 'invalid Unicode character'],
    ['613a20f4908080', 'invalid Unicode character'],
    ['fffe61', 'incomplete UTF-16 character'],
  ] as const) {
    test(`${hex} is refused: ${fault}`, () => {
      assert.throws(() => yamlText(Buffer.from(hex, 'hex')), new YamlError(fault));
    });
  }
});
