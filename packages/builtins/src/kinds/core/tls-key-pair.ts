/** Whether a certificate and a private key belong together, in the words of Go's `tls.X509KeyPair`. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';

interface PemBlock {
  readonly type: string;
  readonly text: string;
}

/** Several whole blocks may follow one another, with any text between them. */
const PEM_BLOCK = /^-----BEGIN ([^\n]*?)-----[ \t\r]*\n[^-]*?-----END \1-----[ \t\r]*$/gm;

/** What is wrong with the pair; undefined when a server could use it. */
export function keyPairFault(certificate: Buffer, key: Buffer): string | undefined {
  const certificates = pemBlocks(certificate);
  const leaf = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (leaf === undefined) return missingCertificate(certificates);
  const keys = pemBlocks(key);
  const own = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (own === undefined) return missingKey(keys);

  const parsed = attempt(() => new X509Certificate(leaf.text));
  if (parsed === undefined) return 'x509: malformed certificate';
  const privateKey = attempt(() => createPrivateKey(own.text));
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return mismatch(parsed, privateKey);
}

function pemBlocks(bytes: Buffer): PemBlock[] {
  return Array.from(bytes.toString('latin1').matchAll(PEM_BLOCK), ([text, type = '']) => ({ type, text }));
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

function mismatch(certificate: X509Certificate, key: KeyObject): string | undefined {
  if (certificate.publicKey.asymmetricKeyType !== key.asymmetricKeyType) {
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
