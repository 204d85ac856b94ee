import { createPrivateKey, createPublicKey, generateKeyPair, X509Certificate, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { isV4, parseIp } from '@flotilla/kube';
import {
  alternativeNameExtension,
  authorityKeyExtension,
  authorityOf,
  basicConstraintsExtension,
  commonNameType,
  extendedKeyUsageExtension,
  extendedKeyUsages,
  keyUsageExtension,
  keyUsages,
  nameOf,
  organizationType,
  signCertificate,
  subjectKeyExtension,
  type AlternativeName,
  type NameAttribute,
} from './write-certificate.ts';

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

export async function makeAuthority(now: Date): Promise<KeyedCertificate> {
  const { privateKey } = await newKeyPair();
  const key = privatePem(privateKey);
  return { key, certificate: await renewAuthority(key, now) };
}

/**
 * Issues a new certificate for the key of an authority. Clients that trust the previous one need no change: they check name
 * and key.
 */
export function renewAuthority(key: string, now: Date): Promise<string> {
  const publicKey = publicDer(createPublicKey(key));
  const { digitalSignature, keyEncipherment, keyCertSign } = keyUsages;
  const name = nameOf([{ type: commonNameType, values: ['flotilla-ca'] }]);
  const certificate = {
    issuer: name,
    subject: name,
    publicKey,
    ...validFor(authorityDays, now),
    extensions: [
      basicConstraintsExtension(true),
      keyUsageExtension([digitalSignature, keyEncipherment, keyCertSign]),
      subjectKeyExtension(publicKey),
    ],
  };
  return signCertificate(certificate, key);
}

/** The hosts of a server and its name, or the user and group of a client. */
export type CertificateOwner =
  | { readonly hosts: readonly string[]; readonly name?: string }
  | { readonly user: string; readonly group: string };

/** Makes a new key and a certificate signed by the authority. */
export async function issueCertificate(
  { key, certificate }: KeyedCertificate,
  owner: CertificateOwner,
  now: Date,
): Promise<KeyedCertificate> {
  const authority = authorityOf(new X509Certificate(certificate));
  const { privateKey, publicKey } = await newKeyPair();
  const isServer = 'hosts' in owner;
  const { serverAuth, clientAuth } = extendedKeyUsages;
  const issued = {
    issuer: authority.subject,
    subject: nameOf(isServer ? [{ type: commonNameType, values: [owner.name ?? 'kube-apiserver'] }] : subjectOf(owner)),
    publicKey: publicDer(publicKey),
    ...validFor(leafDays, now),
    extensions: [
      keyUsageExtension([keyUsages.digitalSignature, keyUsages.keyEncipherment]),
      authorityKeyExtension(authority.publicKey),
      extendedKeyUsageExtension([isServer ? serverAuth : clientAuth]),
      ...(isServer ? [alternativeNameExtension(owner.hosts.map(alternativeName))] : []),
    ],
  };
  return { key: privatePem(privateKey), certificate: await signCertificate(issued, key) };
}

function subjectOf({ user, group }: { readonly user: string; readonly group: string }): NameAttribute[] {
  return [
    { type: organizationType, values: [group] },
    { type: commonNameType, values: [user] },
  ];
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
  return hosts.every((host) => (isAddress(host) ? parsed.checkIP(host) : parsed.checkHost(host)) !== undefined);
}

/** Node's `isIP` compiles a regular expression that takes longer than all else of a certificate. */
function isAddress(host: string): boolean {
  return parseIp(host) !== undefined;
}

function alternativeName(host: string): AlternativeName {
  const address = parseIp(host);
  if (address === undefined) return { type: 'dns', value: host };
  return { type: 'ip', value: isV4(address) ? address.bytes.subarray(12) : address.bytes };
}

/** Starts five minutes early, because clocks of clients may be behind. */
function validFor(days: number, now: Date): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - 5 * 60 * 1000),
    notAfter: new Date(now.getTime() + days * day),
  };
}

const generate = promisify(generateKeyPair);

function newKeyPair(): Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }> {
  return generate('ec', { namedCurve: 'P-256' });
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' });
}

function publicDer(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

/** Whether key and certificate can be read and belong together. */
export function isPair({ key, certificate }: KeyedCertificate): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

export function isIssuedBy(certificate: string, authority: string): boolean {
  const [issued, issuer] = [new X509Certificate(certificate), new X509Certificate(authority)];
  return issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
}
