import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDer } from '@flotilla/builtins';
import { integer, namedBits, objectIdentifier, octetString, sequence, set, time, utf8String } from './write-der.ts';

test('writes the bytes of X.690', () => {
  const written: readonly [Buffer, string][] = [
    [objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    [objectIdentifier('2.5.29.17'), '0603551d11'],
    [integer(Buffer.from([2])), '020102'],
    [utf8String('é'), '0c02c3a9'],
    [namedBits([0]), '03020780'],
    [namedBits([0, 2, 5]), '030202a4'],
    [set(integer(Buffer.from([2])), integer(Buffer.from([1]))), '3106020101020102'],
    [time(new Date('2049-12-31T23:59:59.999Z')), `170d${Buffer.from('491231235959Z').toString('hex')}`],
    [time(new Date('2050-01-01T00:00:00Z')), `180f${Buffer.from('20500101000000Z').toString('hex')}`],
  ];
  for (const [bytes, hex] of written) assert.equal(bytes.toString('hex'), hex);
});

test('writes lengths that the reader accepts', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536]) {
    const [outer] = readDer(sequence(octetString(Buffer.alloc(length, 7))));
    const [inner, ...rest] = readDer(outer?.content ?? Buffer.alloc(0));
    assert.deepEqual([inner?.tag, inner?.content.length, rest.length], [4, length, 0]);
  }
});
