import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DerError, readDer } from './der.ts';
import { readSubject } from './subject.ts';

function der(tag: number, ...parts: (string | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

const organization = der(6, Buffer.from([0x55, 4, 10]));

function organizationsOf(...texts: Buffer[]): string[] {
  return texts.flatMap((text) => {
    const [name] = readDer(der(0x30, der(0x31, der(0x30, organization, text))));
    assert(name);
    return readSubject(name).map(({ type, value }) => `${type} ${value}`);
  });
}

describe('a subject', () => {
  test('contains text of every encoding that Go reads', () => {
    const bmp = Buffer.from('staff', 'utf16le').swap16();
    const encodings = [der(0x0c, 'stäff'), der(0x12, '12 3'), der(0x13, 'staff'), der(0x14, 'staff')];
    assert.deepEqual(
      organizationsOf(...encodings, der(0x16, 'staff'), der(0x1e, bmp), der(0x1e, bmp, '\0\0')),
      ['stäff', '12 3', 'staff', 'staff', 'staff', 'staff', 'staff'].map((text) => `2.5.4.10 ${text}`),
    );
  });

  test('leaves out values that are no text', () => {
    assert.deepEqual(organizationsOf(der(0x02, '\x01'), der(0x1c, '\0\0\0m')), []);
  });

  const problems: [string, Buffer, string][] = [
    ['invalid UTF-8', der(0x0c, Buffer.from([0xff])), 'asn1: invalid UTF-8 string'],
    ['an underscore', der(0x13, 'a_b'), 'asn1: syntax error: PrintableString contains invalid character'],
    ['half a character', der(0x1e, 'abc'), 'asn1: syntax error: invalid BMPString'],
  ];
  for (const [what, text, message] of problems) {
    test(`with ${what} is refused`, () => {
      assert.throws(() => organizationsOf(text), new DerError(message));
    });
  }
});
