import { createPrivateKey, createPublicKey, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** The serving certificate of a server, and the authorities of its clients. All PEM. */
export interface ServerIdentity extends KeyedCertificate {
  /** Signs the server's certificate; kubeconfigs contain it. */
  readonly authority: string;
  /** Sign client certificates. */
  readonly clientAuthority: string;
}

export interface KeyedCertificate {
  readonly key: string;
  readonly certificate: string;
}

const day = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
const leafDays = 365;

export const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Loads the library on first use: most starts issue no certificate. */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  return x509;
}

export async function makeAuthority(now: Date): Promise<KeyedCertificate> {
  const keys = await keyPair();
  return { key: await privatePem(keys.privateKey), certificate: await selfSigned(keys, now) };
}

/**
 * Issues a new certificate for the key of an authority. Clients that trust the previous one need no change: they check name
 * and key.
 */
export async function renewAuthority(key: string, now: Date): Promise<string> {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const keys = {
    privateKey: await signingKeyOf(key),
    publicKey: await webcrypto.subtle.importKey('spki', publicKey, signingAlgorithm, true, ['verify']),
  };
  return selfSigned(keys, now);
}

async function selfSigned(keys: webcrypto.CryptoKeyPair, now: Date): Promise<string> {
  const x509 = await loadX509();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: 'CN=flotilla-ca',
    ...validFor(authorityDays, now),
    signingAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return certificate.toString('pem');
}

/** The hosts of a server, or the user and group of a client. */
export type CertificateOwner =
  | { readonly hosts: readonly string[] }
  | { readonly user: string; readonly group: string };

/** Makes a new key and a certificate signed by the authority. */
export async function issueCertificate(
  { key, certificate }: KeyedCertificate,
  owner: CertificateOwner,
  now: Date,
): Promise<KeyedCertificate> {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(certificate);
  const keys = await keyPair();
  const isServer = 'hosts' in owner;
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  const issued = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: isServer ? 'CN=kube-apiserver' : `CN=${owner.user},O=${owner.group}`,
    issuer: authority.subject,
    ...validFor(leafDays, now),
    signingAlgorithm,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(key),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
      new x509.ExtendedKeyUsageExtension([isServer ? serverAuth : clientAuth]),
      ...(isServer ? [new x509.SubjectAlternativeNameExtension(owner.hosts.map(alternativeName))] : []),
    ],
  });
  return { key: await privatePem(keys.privateKey), certificate: issued.toString('pem') };
}

/** True after two thirds of the validity period. */
export function isDueForRenewal(certificate: string, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()];
  return now.getTime() >= from + ((to - from) * 2) / 3;
}

export function expiryOf(certificate: string): Date {
  return new X509Certificate(certificate).validToDate;
}

export function isValidForHosts(certificate: string, hosts: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return hosts.every((host) => (isIP(host) > 0 ? parsed.checkIP(host) : parsed.checkHost(host)) !== undefined);
}

function alternativeName(host: string): { type: 'ip' | 'dns'; value: string } {
  return { type: isIP(host) > 0 ? 'ip' : 'dns', value: host };
}

/** Starts five minutes early, because clocks of clients may be behind. */
function validFor(days: number, now: Date): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - 5 * 60 * 1000),
    notAfter: new Date(now.getTime() + days * day),
  };
}

function keyPair(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
}

async function privatePem(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

export function signingKeyOf(pem: string): Promise<CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, signingAlgorithm, false, ['sign']);
}

export function newSerialNumber(): string {
  return Buffer.from(webcrypto.getRandomValues(new Uint8Array(15)))
    .toString('hex')
    .replace(/^/, '01');
}
