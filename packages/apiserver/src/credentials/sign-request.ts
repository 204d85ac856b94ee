import { X509Certificate } from 'node:crypto';
import type { CertificateRequest } from '@flotilla/builtins';
import type { KeyedCertificate } from './certificates.ts';
import {
  alternativeNameExtension,
  authorityKeyExtension,
  authorityOf,
  basicConstraintsExtension,
  extendedKeyUsageExtension,
  extendedKeyUsages,
  keyUsageExtension,
  keyUsages,
  nameOf,
  signCertificate,
  type AlternativeName,
  type NameAttribute,
} from './write-certificate.ts';

/** A certificate to issue for the key of a request. */
export interface RequestedCertificate {
  readonly request: CertificateRequest;
  /** In the words of a CertificateSigningRequest. */
  readonly usages: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The signers of kubernetes.io accept no other usages than these and the extended ones. */
const requestedKeyUsages: Readonly<Record<string, number>> = {
  'digital signature': keyUsages.digitalSignature,
  'key encipherment': keyUsages.keyEncipherment,
};

const requestedExtendedUsages: Readonly<Record<string, string>> = {
  'server auth': extendedKeyUsages.serverAuth,
  'client auth': extendedKeyUsages.clientAuth,
};

/**
 * Signs a request. Copies subject, alternative names and key, and none of the other extensions. The certificate ends no later than the
 * authority.
 */
export async function signRequest(
  { key, certificate }: KeyedCertificate,
  { request, usages, notBefore, notAfter }: RequestedCertificate,
): Promise<string> {
  const authority = new X509Certificate(certificate);
  const end = authority.validToDate;
  if (notBefore >= end) throw new Error(`the CA expired on ${end.toISOString()}`);
  const { subject: issuer, publicKey: issuerKey } = authorityOf(authority);
  const bits = usages.flatMap((usage) => requestedKeyUsages[usage] ?? []);
  const names = alternativeNames(request);
  const issued = {
    issuer,
    subject: nameOf(subjectOf(request)),
    publicKey: request.publicKey,
    notBefore,
    notAfter: notAfter < end ? notAfter : end,
    extensions: [
      ...(bits.length === 0 ? [] : [keyUsageExtension(bits)]),
      extendedKeyUsageExtension(usages.flatMap((usage) => requestedExtendedUsages[usage] ?? [])),
      basicConstraintsExtension(false),
      authorityKeyExtension(issuerKey),
      ...(names.length === 0 ? [] : [alternativeNameExtension(names)]),
    ],
  };
  return `${await signCertificate(issued, key)}\n`;
}

/** The attributes that Go copies, in its order. The values of a type share a set. */
const copiedTypes = [
  '2.5.4.6',
  '2.5.4.8',
  '2.5.4.7',
  '2.5.4.9',
  '2.5.4.17',
  '2.5.4.10',
  '2.5.4.11',
  '2.5.4.3',
  '2.5.4.5',
];

/** A certificate has one of these: the last. */
const singleTypes = ['2.5.4.3', '2.5.4.5'];

function subjectOf({ subject }: CertificateRequest): NameAttribute[] {
  return copiedTypes.flatMap((type) => {
    const values = subject.filter((attribute) => attribute.type === type).map(({ value }) => value);
    if (values.length === 0) return [];
    return [{ type, values: singleTypes.includes(type) ? values.slice(-1) : values }];
  });
}

function alternativeNames(request: CertificateRequest): AlternativeName[] {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request;
  const named = (type: AlternativeName['type'], values: readonly (string | Uint8Array)[]): AlternativeName[] =>
    values.map((value) => ({ type, value }));
  return [
    ...named('dns', dnsNames),
    ...named('email', emailAddresses),
    ...named('ip', ipAddresses),
    ...named('uri', uris),
  ];
}
