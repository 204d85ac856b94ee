import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { User } from '@flotilla/kube';
import { credentialIdKey, authenticatedUser } from './authenticated-user.ts';

/** The user of a connection's client certificate; `refused` for an invalid certificate, `none` without one. */
export type CertificateProof = User | 'none' | 'refused';

export type CertifiedSocket = Pick<TLSSocket, 'authorized' | 'getPeerX509Certificate'>;

interface Seen {
  readonly proof: CertificateProof;
  readonly certificate: X509Certificate | undefined;
  readonly validUntilMs: number;
  /** Of the authorities that the certificate was checked against. */
  readonly generation: number;
}

/**
 * Reads the client certificate once per connection. The result is valid until the certificate expires or the authorities
 * are replaced.
 */
export class ClientCertificates {
  readonly #now: () => number;
  readonly #seen = new WeakMap<object, Seen>();
  #authorities: readonly X509Certificate[] = [];
  #generation = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Checks the certificates of existing connections again. */
  setAuthorities(pem: string): void {
    this.#authorities = certificatesOf(pem);
    this.#generation++;
  }

  proofOf(socket: CertifiedSocket): CertificateProof {
    let seen = this.#seen.get(socket);
    if (seen === undefined) this.#seen.set(socket, (seen = this.#check(socket)));
    else if (seen.generation !== this.#generation) this.#seen.set(socket, (seen = this.#checkAgain(seen)));
    return this.#now() > seen.validUntilMs ? 'refused' : seen.proof;
  }

  /** The TLS handshake has checked the chain, its purpose and its validity period. */
  #check(socket: CertifiedSocket): Seen {
    const certificate = socket.getPeerX509Certificate();
    const generation = this.#generation;
    if (!certificate) return { proof: 'none', certificate, validUntilMs: Infinity, generation };
    if (!socket.authorized) return { proof: 'refused', certificate, validUntilMs: Infinity, generation };
    return { proof: userOf(certificate), certificate, validUntilMs: certificate.validToDate.getTime(), generation };
  }

  #checkAgain(seen: Seen): Seen {
    const generation = this.#generation;
    const { certificate, proof } = seen;
    if (!certificate || proof === 'refused' || isSignedByOne(certificate, this.#authorities)) {
      return { ...seen, generation };
    }
    return { ...seen, proof: 'refused', generation };
  }
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function certificatesOf(pem: string): X509Certificate[] {
  return (pem.match(pemBlock) ?? []).map((block) => new X509Certificate(block));
}

const maxChainLength = 8;

function isSignedByOne(certificate: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  let current: X509Certificate | undefined = certificate;
  for (let length = 0; current && length < maxChainLength; length++) {
    const signed: X509Certificate = current;
    if (authorities.some((one) => signed.checkIssued(one) && signed.verify(one.publicKey))) return true;
    const issuer: X509Certificate | undefined = signed.issuerCertificate;
    current = issuer && signed.verify(issuer.publicKey) ? issuer : undefined;
  }
  return false;
}

const uidObjectId = '1.3.6.1.4.1.57683.2';

/** CN is the name, O are the groups. A certificate without CN counts as none. */
function userOf(certificate: X509Certificate): CertificateProof {
  const { subject } = certificate.toLegacyObject();
  const fields = subject as unknown as Readonly<Record<string, string | readonly string[] | undefined>>;
  const name = listOf(fields['CN']).at(-1) ?? '';
  if (name === '') return 'none';
  const uids = listOf(fields[uidObjectId]);
  const [uid] = uids;
  if (uids.length > 1 || uid === '') return 'refused';
  const digest = createHash('sha256').update(certificate.raw).digest('hex');
  return authenticatedUser({
    name,
    ...(uid !== undefined && { uid }),
    groups: listOf(fields['O']),
    extra: { [credentialIdKey]: [`X509SHA256=${digest}`] },
  });
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
