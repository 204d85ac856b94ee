import { X509Certificate } from 'node:crypto';

/**
 * Why Go cannot take certificate authorities from the bundle, which is base64 of PEM; undefined: it can. One good
 * certificate is enough.
 */
export function caBundleProblem(bundle: string): string | undefined {
  if (bundle === '') return undefined;
  const text = Buffer.from(bundle, 'base64').toString('latin1');
  const blocks = Array.from(text.matchAll(pemBlock), ([, type, body = '']) => ({ type, body }));
  const certificates = blocks.filter(({ type, body }) => type === 'CERTIFICATE' && !body.includes(':'));
  if (certificates.some(({ body }) => isCertificate(body))) return undefined;
  return `unable to load root certificates: ${whyNone(text, blocks.length, certificates.length)}`;
}

const pemBlock = /-----BEGIN ([^\n-]*)-----[ \t]*\r?\n([^-]*?)\r?\n?-----END \1-----/g;

function whyNone(text: string, blocks: number, certificates: number): string {
  if (certificates > 0) return 'failed to parse certificate: x509: malformed certificate';
  const isAllPem = blocks > 0 && text.trimEnd().endsWith('-----');
  return isAllPem ? 'no valid certificate authority data seen' : 'unable to parse bytes as PEM block';
}

function isCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).serialNumber !== '';
  } catch {
    return false;
  }
}
