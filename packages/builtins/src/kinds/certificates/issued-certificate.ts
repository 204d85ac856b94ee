import { X509Certificate } from 'node:crypto';
import { pemBlocks } from './pem.ts';

/** What is wrong with the certificate that a signer wrote into a status; undefined when nothing is. */
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
