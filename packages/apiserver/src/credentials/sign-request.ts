import type { CertificateRequest } from '@flotilla/builtins';
import { loadX509, newSerialNumber, signingAlgorithm, signingKeyOf, type KeyedCertificate } from './certificates.ts';

/** A certificate to issue for the key of a request. */
export interface RequestedCertificate {
  readonly request: CertificateRequest;
  /** In the words of a CertificateSigningRequest. */
  readonly usages: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Of KeyUsage (RFC 5280, 4.2.1.3). The signers of kubernetes.io accept no other usages than these and the extended ones. */
const keyUsages: Readonly<Record<string, number>> = { 'digital signature': 1, 'key encipherment': 4 };

const extendedKeyUsages: Readonly<Record<string, string>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
};

/**
 * Signs a request. Copies subject, alternative names and key, and none of the other extensions. The certificate ends no later than the
 * authority.
 */
export async function signRequest(
  { key, certificate }: KeyedCertificate,
  { request, usages, notBefore, notAfter }: RequestedCertificate,
): Promise<string> {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(certificate);
  if (notBefore >= authority.notAfter) throw new Error(`the CA expired on ${authority.notAfter.toISOString()}`);
  const names = alternativeNames(request);
  const issued = await x509.X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: new x509.Name(subjectOf(request)),
    issuer: authority.subjectName,
    notBefore,
    notAfter: notAfter < authority.notAfter ? notAfter : authority.notAfter,
    signingAlgorithm,
    publicKey: request.publicKey,
    signingKey: await signingKeyOf(key),
    extensions: [
      new x509.KeyUsagesExtension(
        usages.reduce((flags, usage) => flags | (keyUsages[usage] ?? 0), 0),
        true,
      ),
      new x509.ExtendedKeyUsageExtension(usages.flatMap((usage) => extendedKeyUsages[usage] ?? [])),
      new x509.BasicConstraintsExtension(false, undefined, true),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
    ],
  });
  return `${issued.toString('pem')}\n`;
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

function subjectOf({ subject }: CertificateRequest): { [type: string]: { utf8String: string }[] }[] {
  return copiedTypes.flatMap((type) => {
    const values = subject.filter((attribute) => attribute.type === type).map(({ value }) => ({ utf8String: value }));
    if (values.length === 0) return [];
    return [{ [type]: singleTypes.includes(type) ? values.slice(-1) : values }];
  });
}

type AlternativeName = { readonly type: 'dns' | 'ip' | 'email' | 'url'; readonly value: string };

function alternativeNames(request: CertificateRequest): AlternativeName[] {
  const named = (type: AlternativeName['type'], values: readonly string[]): AlternativeName[] =>
    values.map((value) => ({ type, value }));
  return [
    ...named('dns', request.dnsNames),
    ...named('email', request.emailAddresses),
    ...named('ip', request.ipAddresses.map(addressText)),
    ...named('url', request.uris),
  ];
}

function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const hex = Buffer.from(bytes).toString('hex');
  return (hex.match(/.{4}/g) ?? []).join(':');
}
