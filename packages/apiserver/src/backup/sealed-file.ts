/**
 * An encrypted file that is read and written piece by piece; docs/adr/0018-keys-and-data-belong-together.md has the format. The
 * nonce of a piece has its number and whether it is the last, so that a missing, moved or truncated piece is detected.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** The file was encrypted with another key, or is damaged. */
export class CannotUnseal extends Error {
  override readonly name = 'CannotUnseal';
}

const magic = Buffer.from('flotilla backup\n');
const version = 1;
const headerBytes = 48;
const saltBytes = 16;
const prefixBytes = 7;
const pieceBytes = 64 * 1024;
const tagBytes = 16;

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** 128 MiB and about half a second for each guess of a passphrase. */
const cost: Cost = { logN: 17, r: 8, p: 1 };

/** 1 GiB: the header of an untrusted file must not use up the memory. */
const maxMemory = 2 ** 30;

interface Header extends Cost {
  readonly bytes: Buffer;
  readonly salt: Buffer;
  readonly prefix: Buffer;
}

export async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    return (await readAt(handle, 0, magic.length)).equals(magic);
  } finally {
    await handle.close();
  }
}

/** Encrypts one file into another, which must exist and be empty. */
export async function sealFile(source: string, target: string, secret: Uint8Array): Promise<void> {
  const header = newHeader();
  const key = await keyOf(secret, header);
  await betweenFiles(source, target, async (from, to) => {
    const { size } = await from.stat();
    await to.write(header.bytes, 0, headerBytes, 0);
    for (let number = 0, isLast = false; !isLast; number++) {
      const start = number * pieceBytes;
      isLast = start + pieceBytes >= size;
      const piece = await readAt(from, start, Math.min(pieceBytes, size - start));
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(header, number, isLast)).setAAD(header.bytes);
      const sealed = Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
      await to.write(sealed, 0, sealed.length, headerBytes + number * (pieceBytes + tagBytes));
    }
  });
}

/** Decrypts one file into another. Writes only authenticated pieces; the target is complete when this returns. Throws `CannotUnseal`. */
export async function unsealFile(source: string, target: string, secret: Uint8Array): Promise<void> {
  await betweenFiles(source, target, async (from, to) => {
    const { size } = await from.stat();
    const header = headerIn(await readAt(from, 0, headerBytes), source);
    const key = await keyOf(secret, header);
    for (let number = 0, isLast = false; !isLast; number++) {
      const start = headerBytes + number * (pieceBytes + tagBytes);
      isLast = start + pieceBytes + tagBytes >= size;
      const sealed = await readAt(from, start, Math.min(pieceBytes + tagBytes, Math.max(0, size - start)));
      const piece = unsealed(sealed, key, header, number, isLast);
      if (piece === undefined) throw cannotUnseal(source, number);
      await to.write(piece, 0, piece.length, number * pieceBytes);
    }
  });
}

function unsealed(sealed: Buffer, key: Buffer, header: Header, number: number, isLast: boolean): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(header, number, isLast), { authTagLength: tagBytes });
  decipher.setAAD(header.bytes).setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function cannotUnseal(file: string, piece: number): CannotUnseal {
  return new CannotUnseal(
    piece === 0 ? `${file} was encrypted with another key, or is damaged` : `${file} is damaged or cut off`,
  );
}

function newHeader(): Header {
  const [salt, prefix] = [randomBytes(saltBytes), randomBytes(prefixBytes)];
  const parameters = Buffer.from([version, cost.logN, cost.r, cost.p]);
  return { ...cost, salt, prefix, bytes: Buffer.concat([magic, parameters, salt, prefix], headerBytes) };
}

function headerIn(bytes: Buffer, file: string): Header {
  if (bytes.length < headerBytes) throw new CannotUnseal(`${file} is damaged or cut off`);
  const [found, logN, r, p] = bytes.subarray(magic.length) as unknown as [number, number, number, number];
  if (found !== version)
    throw new CannotUnseal(`${file} has format ${found}, and this version of Flotilla reads ${version}`);
  const isWithinLimits = logN > 0 && logN <= 24 && r > 0 && p > 0 && p <= 16 && 128 * 2 ** logN * r <= maxMemory;
  if (!isWithinLimits) throw new CannotUnseal(`${file} is damaged`);
  const salt = bytes.subarray(magic.length + 4, magic.length + 4 + saltBytes);
  const prefix = bytes.subarray(magic.length + 4 + saltBytes, magic.length + 4 + saltBytes + prefixBytes);
  return { logN, r, p, salt, prefix, bytes };
}

function keyOf(secret: Uint8Array, { salt, logN, r, p }: Header): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, { N: 2 ** logN, r, p, maxmem: maxMemory + 2 ** 20 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function nonceOf({ prefix }: Header, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  prefix.copy(nonce);
  nonce.writeUInt32BE(number, prefixBytes);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

async function betweenFiles(
  source: string,
  target: string,
  copy: (from: FileHandle, to: FileHandle) => Promise<void>,
): Promise<void> {
  const from = await open(source, 'r');
  try {
    const to = await open(target, 'r+');
    await copy(from, to).finally(() => to.close());
  } finally {
    await from.close();
  }
}

/** Returns fewer bytes only at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}
