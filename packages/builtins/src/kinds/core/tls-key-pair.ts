/** Whether a certificate and a private key belong together, with the messages of Go's `tls.X509KeyPair`. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { pemBlocks, type PemBlock } from './pem-blocks.ts';

/** Undefined if a server could use the pair, else the problem. */
export function keyPairProblem(certificate: Buffer, key: Buffer): string | undefined {
  const certificates = pemBlocks(certificate.toString('latin1'));
  const leaf = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (leaf === undefined) return missingCertificate(certificates);
  const keys = pemBlocks(key.toString('latin1'));
  const own = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (own === undefined) return missingKey(keys);

  const parsed = attempt(() => new X509Certificate(leaf.bytes));
  if (parsed === undefined) return 'x509: malformed certificate';
  const privateKey = privateKeyIn(own.bytes);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return mismatch(parsed, privateKey);
}

/** Tries all formats, whatever the type of the block. Go supports only the NIST curves. */
function privateKeyIn(key: Buffer): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    const read = attempt(() => createPrivateKey({ key, format: 'der', type }));
    if (read && isKnownKey(read)) return read;
  }
  return undefined;
}

const goCurves: readonly (string | undefined)[] = ['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1'];

function isKnownKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType !== 'ec' || goCurves.includes(asymmetricKeyDetails?.namedCurve);
}

function missingCertificate(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (blocks.length === 1 && blocks[0]?.type.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  const skipped = 'after skipping PEM blocks of the following types';
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input ${skipped}: ${typesOf(blocks)}`;
}

function missingKey(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in key input';
  if (blocks.length === 1 && blocks[0]?.type === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  const skipped = 'after skipping PEM blocks of the following types';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input ${skipped}: ${typesOf(blocks)}`;
}

const supportedKeyTypes: readonly string[] = ['rsa', 'ec', 'ed25519'];

function mismatch(certificate: X509Certificate, key: KeyObject): string | undefined {
  const { asymmetricKeyType: type = '' } = certificate.publicKey;
  if (!supportedKeyTypes.includes(type)) return 'tls: unknown public key algorithm';
  if (type !== key.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

function typesOf(blocks: readonly PemBlock[]): string {
  return `[${blocks.map(({ type }) => type).join(' ')}]`;
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
