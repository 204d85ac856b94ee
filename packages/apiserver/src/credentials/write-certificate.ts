/** Writes X.509 certificates (RFC 5280) and signs them with the platform's crypto. */
import { createHash, createPrivateKey, randomBytes, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { derBitString, derSequence, expectDer, readDer } from '@flotilla/builtins';
import { UnusableCredentials } from './unusable-credentials.ts';
import {
  bitString,
  der,
  integer,
  isTrue,
  namedBits,
  objectIdentifier,
  octetString,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from './write-der.ts';

/** The parts of a CA's certificate that those below it repeat, in DER. */
export interface Authority {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
}

const versionTag = 0xa0;

export function authorityOf(certificate: X509Certificate): Authority {
  const [whole] = readDer(certificate.raw);
  const [signed] = readDer(expectDer(whole, derSequence).content);
  const fields = readDer(expectDer(signed, derSequence).content);
  const [, , , , subject, publicKey] = fields[0]?.tag === versionTag ? fields.slice(1) : fields;
  return { subject: expectDer(subject, derSequence).whole, publicKey: expectDer(publicKey, derSequence).whole };
}

/** The digest of the key itself: of a bit string, without the byte that counts its unused bits. */
function keyIdentifier(publicKey: Uint8Array): Buffer {
  const [info] = readDer(publicKey);
  const [, key] = readDer(expectDer(info, derSequence).content);
  return createHash('sha1').update(expectDer(key, derBitString).content.subarray(1)).digest();
}

export interface NewCertificate {
  /** DER of a name: `nameOf` or `authorityOf(…).subject`. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** DER of a SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Uint8Array[];
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

const signAsync = promisify(sign);

/** Returns PEM. The key of the issuer is a PEM too, of an elliptic curve. */
export async function signCertificate(
  { issuer, subject, publicKey, notBefore, notAfter, extensions }: NewCertificate,
  issuerKey: string,
): Promise<string> {
  const key = createPrivateKey(issuerKey);
  if (key.asymmetricKeyType !== 'ec')
    throw new UnusableCredentials(`cannot sign with a CA key of type ${key.asymmetricKeyType}; use an ECDSA key`);
  const signed = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(newSerialNumber()),
    ecdsaWithSha256,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    tagged(3, sequence(...extensions)),
  );
  const signature = await signAsync('sha256', signed, { key, dsaEncoding: 'der' });
  return new X509Certificate(sequence(signed, ecdsaWithSha256, bitString(signature))).toString().trimEnd();
}

/** 120 random bits. The first byte makes the number positive and its length constant. */
function newSerialNumber(): Buffer {
  return Buffer.concat([Buffer.from([1]), randomBytes(15)]);
}

export interface NameAttribute {
  /** An object identifier, for instance `2.5.4.3`. */
  readonly type: string;
  readonly values: readonly string[];
}

export const commonNameType = '2.5.4.3';
export const organizationType = '2.5.4.10';

/** The values of an attribute share a set, as Go writes them. */
export function nameOf(attributes: readonly NameAttribute[]): Buffer {
  return sequence(
    ...attributes.map(({ type, values }) =>
      set(...values.map((value) => sequence(objectIdentifier(type), utf8String(value)))),
    ),
  );
}

function extension(type: string, value: Uint8Array, isCritical = false): Buffer {
  return sequence(objectIdentifier(type), ...(isCritical ? [isTrue] : []), octetString(value));
}

/** By their number in RFC 5280, 4.2.1.3. */
export const keyUsages = { digitalSignature: 0, keyEncipherment: 2, keyCertSign: 5 } as const;

export function keyUsageExtension(bits: readonly number[]): Buffer {
  return extension('2.5.29.15', namedBits(bits), true);
}

export const extendedKeyUsages = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' } as const;

export function extendedKeyUsageExtension(usages: readonly string[]): Buffer {
  return extension('2.5.29.37', sequence(...usages.map(objectIdentifier)));
}

export function basicConstraintsExtension(isAuthority: boolean): Buffer {
  return extension('2.5.29.19', sequence(...(isAuthority ? [isTrue] : [])), true);
}

export function subjectKeyExtension(publicKey: Uint8Array): Buffer {
  return extension('2.5.29.14', octetString(keyIdentifier(publicKey)));
}

/** The key of the issuer. */
export function authorityKeyExtension(publicKey: Uint8Array): Buffer {
  return extension('2.5.29.35', sequence(der(0x80, keyIdentifier(publicKey))));
}

/** Texts are ASCII; addresses have four or sixteen bytes. */
export interface AlternativeName {
  readonly type: 'email' | 'dns' | 'uri' | 'ip';
  readonly value: string | Uint8Array;
}

const alternativeNameTags = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

export function alternativeNameExtension(names: readonly AlternativeName[]): Buffer {
  const bytesOf = (value: string | Uint8Array): Uint8Array => (typeof value === 'string' ? Buffer.from(value) : value);
  const written = names.map(({ type, value }) => der(alternativeNameTags[type], bytesOf(value)));
  return extension('2.5.29.17', sequence(...written));
}
