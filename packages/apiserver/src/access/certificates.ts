import { webcrypto } from 'node:crypto';

type KeyPair = webcrypto.CryptoKeyPair;

/** What a server shows its clients, and whom it believes. All PEM. */
export interface ServerIdentity {
  readonly key: string;
  readonly certificate: string;
  /** Signs the server's certificate; clients are told to trust it. */
  readonly authority: string;
  /** Signs client certificates. */
  readonly clientAuthority: string;
}

export interface ClientIdentity {
  readonly key: string;
  readonly certificate: string;
}

export interface Credentials {
  readonly server: ServerIdentity;
  readonly admin: ClientIdentity;
}

const day = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
const leafDays = 365;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * A fresh authority, a server certificate for `hosts`, and an administrator. Made once, at the first start; the library is
 * only loaded then.
 */
export async function makeCredentials(hosts: readonly string[], now: Date): Promise<Credentials> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const authorityKeys = await keyPair();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=flotilla-ca',
    notBefore: new Date(now.getTime() - 5 * 60 * 1000),
    notAfter: new Date(now.getTime() + authorityDays * day),
    signingAlgorithm: algorithm,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });

  const leaf = async (subject: string, extensions: InstanceType<typeof x509.Extension>[]): Promise<ClientIdentity> => {
    const keys = await keyPair();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject,
      issuer: authority.subject,
      notBefore: new Date(now.getTime() - 5 * 60 * 1000),
      notAfter: new Date(now.getTime() + leafDays * day),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
        await x509.AuthorityKeyIdentifierExtension.create(authority),
        ...extensions,
      ],
    });
    return { key: await privatePem(keys.privateKey), certificate: certificate.toString('pem') };
  };

  const names = hosts.map((host) => ({ type: isAddress(host) ? ('ip' as const) : ('dns' as const), value: host }));
  const server = await leaf('CN=kube-apiserver', [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(names),
  ]);
  const admin = await leaf('CN=kubernetes-admin,O=system:masters', [
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
  ]);
  const authorityPem = authority.toString('pem');
  return { server: { ...server, authority: authorityPem, clientAuthority: authorityPem }, admin };
}

function keyPair(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function privatePem(key: CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

function serialNumber(): string {
  return Buffer.from(webcrypto.getRandomValues(new Uint8Array(15)))
    .toString('hex')
    .replace(/^/, '01');
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(':');
}
