import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isSealed, sealFile, unsealFile } from './sealed-file.ts';

const secret = Buffer.from('correct horse battery staple');
const piece = 64 * 1024;
const header = 48;
const tag = 16;

describe('a sealed file', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'flotilla-sealed-'));
  const [plain, sealed, target] = ['plain', 'sealed', 'target'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  const content = Buffer.alloc(2 * piece + 1000, 'a line of a backup\n');
  before(async () => {
    writeFileSync(plain, content);
    writeFileSync(sealed, '');
    await sealFile(plain, sealed, secret);
  });
  after(() => rmSync(scratch, { recursive: true }));

  const unseal = async (bytes: Buffer, key = secret): Promise<Buffer> => {
    const source = join(scratch, 'source');
    writeFileSync(source, bytes);
    writeFileSync(target, '');
    await unsealFile(source, target, key);
    return readFileSync(target);
  };

  test('is decrypted to the same bytes, whatever its length', async () => {
    assert.ok(await isSealed(sealed));
    assert.ok(!(await isSealed(plain)));
    for (const length of [0, piece, piece + 1]) {
      writeFileSync(plain, content.subarray(0, length));
      writeFileSync(target, '');
      await sealFile(plain, target, secret);
      assert.ok((await unseal(readFileSync(target))).equals(content.subarray(0, length)), `${length} bytes`);
    }
    assert.ok((await unseal(readFileSync(sealed))).equals(content));
  });

  test('is the documented format: header, then pieces with a tag each', () => {
    const bytes = readFileSync(sealed);
    assert.equal(bytes.toString('latin1', 0, 16), 'flotilla backup\n');
    assert.deepEqual([...bytes.subarray(16, 20)], [1, 17, 8, 1]);
    assert.equal(bytes.length, header + content.length + 3 * tag);
  });

  const changes: readonly [what: string, change: (bytes: Buffer) => Buffer][] = [
    ['a bit is flipped', (bytes) => Buffer.from(bytes.map((byte, at) => (at === piece ? byte ^ 1 : byte)))],
    ['a bit of the header is flipped', (bytes) => Buffer.from(bytes.map((byte, at) => (at === 47 ? byte ^ 1 : byte)))],
    ['it is truncated in a piece', (bytes) => bytes.subarray(0, -100)],
    ['it is truncated between pieces', (bytes) => bytes.subarray(0, header + 2 * (piece + tag))],
    ['it is truncated after its header', (bytes) => bytes.subarray(0, header)],
    ['it is truncated in its header', (bytes) => bytes.subarray(0, 20)],
    ['other bytes follow', (bytes) => Buffer.concat([bytes, Buffer.alloc(100)])],
    [
      'pieces change places',
      (bytes) => {
        const at = (number: number): number => header + number * (piece + tag);
        const [first, second] = [bytes.subarray(at(0), at(1)), bytes.subarray(at(1), at(2))];
        return Buffer.concat([bytes.subarray(0, header), second, first, bytes.subarray(at(2))]);
      },
    ],
    [
      'it asks for more memory than there is',
      (bytes) => Buffer.from(bytes.map((byte, at) => (at === 17 ? 24 : at === 18 ? 255 : byte))),
    ],
    ['it is of a later format', (bytes) => Buffer.from(bytes.map((byte, at) => (at === 16 ? 2 : byte)))],
  ];
  for (const [what, change] of changes) {
    test(`is refused if ${what}`, async () => {
      await assert.rejects(unseal(change(readFileSync(sealed))), { name: 'CannotUnseal' });
    });
  }

  test('is refused with another key', async () => {
    await assert.rejects(unseal(readFileSync(sealed), Buffer.from('another')), /encrypted with another key/);
  });
});
