/** Validates PKCS#10 requests (RFC 2986): their form, and the signature by their own key. */
import { createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto';
import {
  derBitString,
  DerError,
  derObjectIdentifier,
  derSequence,
  expectDer,
  objectIdentifierText,
  readDer,
  type DerValue,
} from './der.ts';
import { readAlternativeNames, type AlternativeNames } from './alternative-names.ts';
import { commonNameType, organizationType, readSubject, type SubjectAttribute } from './subject.ts';

/** What a request asks for. */
export interface CertificateRequest extends AlternativeNames {
  readonly subject: readonly SubjectAttribute[];
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** DER of a SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
}

/** Reads the PEM of a request. Throws a DerError with the problem in Go's words. */
export function readCertificateRequest(pem: string): CertificateRequest {
  const { subject, names, publicKey } = parseRequest(requestBytes(pem));
  return {
    ...names,
    subject,
    publicKey,
    commonName: valuesOf(subject, commonNameType).at(-1) ?? '',
    organizations: valuesOf(subject, organizationType),
  };
}

function valuesOf(subject: readonly SubjectAttribute[], wanted: string): string[] {
  return subject.filter(({ type }) => type === wanted).map(({ value }) => value);
}

/** Undefined if the request is valid, else the problem, in Go's words where they are fixed. */
export function certificateRequestProblem(pem: string): string | undefined {
  try {
    return signatureProblem(parseRequest(requestBytes(pem)));
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function requestBytes(pem: string): Uint8Array {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  return block.bytes;
}

interface ParsedRequest {
  readonly subject: readonly SubjectAttribute[];
  readonly names: AlternativeNames;
  readonly info: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

function parseRequest(bytes: Uint8Array): ParsedRequest {
  const [request, extra] = readDer(bytes);
  if (extra !== undefined) throw new DerError('asn1: syntax error: trailing data');
  const [info, algorithm, signature] = readDer(expectDer(request, derSequence).content);
  const [, subject, publicKey, attributes] = readDer(expectDer(info, derSequence).content);
  const [identifier] = readDer(expectDer(algorithm, derSequence).content);
  return {
    subject: readSubject(expectDer(subject, derSequence)),
    names: readAlternativeNames(attributes),
    info: expectDer(info, derSequence).whole,
    publicKey: expectDer(publicKey, derSequence).whole,
    algorithm: objectIdentifierText(expectDer(identifier, derObjectIdentifier)),
    signature: bitsOf(expectDer(signature, derBitString)),
  };
}

/** The first byte of a bit string counts unused bits. Signatures have none. */
function bitsOf({ content }: DerValue): Uint8Array {
  if (content[0] !== 0) throw new DerError('asn1: syntax error: invalid padding bits in BIT STRING');
  return content.subarray(1);
}

/** Node's digest for each signature algorithm; null if the algorithm includes its own. */
const digests: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

function signatureProblem({ info, publicKey, algorithm, signature }: ParsedRequest): string | undefined {
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  if (digest === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const key = publicKeyOf(publicKey);
  if (key === undefined) return 'x509: unsupported elliptic curve';
  return verifies(digest, info, key, signature) ? undefined : verificationProblem(key);
}

function publicKeyOf(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function verifies(digest: string | null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(digest, data, key, signature);
  } catch {
    return false;
  }
}

function verificationProblem({ asymmetricKeyType }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'crypto/rsa: verification error';
  return asymmetricKeyType === 'ec' ? 'x509: ECDSA verification failure' : 'x509: Ed25519 verification failure';
}

/** Undefined if the certificate in a status is valid, else the problem. */
export function issuedCertificateProblem(pem: string): string | undefined {
  if (pem === '') return undefined;
  const blocks = pemBlocks(pem);
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found "${type}"`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (!isCertificate(bytes)) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function isCertificate(der: Uint8Array): boolean {
  try {
    return new X509Certificate(der).serialNumber !== '';
  } catch {
    return false;
  }
}

/** PEM as Go's decoder reads it: blocks between BEGIN and END lines. It ignores the text between blocks. */
interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const blockPattern = /-----BEGIN ([^\n-]*)-----[ \t]*\r?\n([^-]*?)\r?\n?-----END \1-----/g;

function pemBlocks(text: string): PemBlock[] {
  return Array.from(text.matchAll(blockPattern), ([, type = '', body = '']) => {
    const hasHeaders = body.includes(':');
    const base64 = hasHeaders ? body.slice(body.lastIndexOf(':')).replace(/^.*\n/, '') : body;
    return { type, hasHeaders, bytes: Buffer.from(base64, 'base64') };
  });
}
