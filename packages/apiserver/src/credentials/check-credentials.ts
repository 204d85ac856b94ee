import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { signingKey } from '../access/authentication/token-keys.ts';
import type { KeyedCertificate } from './certificates.ts';
import { UnusableCredentials } from './unusable-credentials.ts';

/** The file names in the key folder. */
export const credentialFiles = {
  authority: 'ca.crt',
  authorityKey: 'ca.key',
  serverKey: 'server.key',
  serverCertificate: 'server.crt',
  adminKey: 'admin.key',
  adminCertificate: 'admin.crt',
  tokenKey: 'service-account.key',
  token: 'admin.token',
} as const;

export type CredentialName = keyof typeof credentialFiles;

export const credentialNames = Object.keys(credentialFiles) as readonly CredentialName[];

/** Only the owner may read these; certificates are public. */
export const secretNames = credentialNames.filter((name) => !credentialFiles[name].endsWith('.crt'));

const putBack = '; put it back from a backup';

export type CredentialTexts = Readonly<Partial<Record<CredentialName, string>>>;

/** The contents of a key folder. Undefined parts can be issued again from the others. */
export interface FoundCredentials {
  readonly authority: string | undefined;
  readonly authorityKey: string | undefined;
  readonly server: KeyedCertificate | undefined;
  readonly admin: KeyedCertificate | undefined;
  readonly tokenKey: string;
  readonly token: string;
}

/** Throws `UnusableCredentials` for a file that is invalid, or that is missing and cannot be made from the others. */
export function checkCredentials(texts: CredentialTexts, fileOf: (name: CredentialName) => string): FoundCredentials {
  const { authority, authorityKey, tokenKey, token } = texts;
  if (tokenKey === undefined) throw missing(fileOf('tokenKey'), 'every service account token would be invalid');
  if (token === undefined) throw missing(fileOf('token'), "the administrator's token would be invalid");
  if (authority === undefined && authorityKey === undefined) {
    throw missing(`${fileOf('authority')} and ca.key`, 'every kubeconfig would be invalid');
  }
  parsed(tokenKey, `${fileOf('tokenKey')} holds no private key for tokens${putBack}`, signingKey);
  if (token.trim() === '') throw new UnusableCredentials(`${fileOf('token')} is empty${putBack}`);
  const key = authorityKey === undefined ? undefined : authorityKeyIn(authorityKey, fileOf('authorityKey'));
  const certificate = authority === undefined ? undefined : certificateIn(authority, fileOf('authority'), putBack);
  if (key && certificate && !certificate.checkPrivateKey(key)) {
    throw new UnusableCredentials(`${fileOf('authorityKey')} is not the key of ca.crt; put both back from one backup`);
  }
  const signer = certificate?.publicKey ?? createPublicKey(key!);
  const leaf = (ofKey: CredentialName, ofCertificate: CredentialName): KeyedCertificate | undefined => {
    const one = { key: texts[ofKey], certificate: texts[ofCertificate] };
    return checkLeaf(one, { key: fileOf(ofKey), certificate: fileOf(ofCertificate) }, signer);
  };
  return {
    authority,
    authorityKey,
    server: leaf('serverKey', 'serverCertificate'),
    admin: leaf('adminKey', 'adminCertificate'),
    tokenKey,
    token: token.trim(),
  };
}

/** Returns undefined if key or certificate is missing or they do not match: a renewal was interrupted. */
function checkLeaf(
  { key, certificate }: { readonly [part in keyof KeyedCertificate]: string | undefined },
  files: KeyedCertificate,
  signer: KeyObject,
): KeyedCertificate | undefined {
  const privateKey = key === undefined ? undefined : privateKeyIn(key, files.key, putBack);
  const shown = certificate === undefined ? undefined : certificateIn(certificate, files.certificate, putBack);
  if (shown && !shown.verify(signer)) {
    throw new UnusableCredentials(
      `${files.certificate} was not signed by the authority beside it; put both back from one backup, or remove it to get a new one`,
    );
  }
  if (!privateKey || !shown || !shown.checkPrivateKey(privateKey)) return undefined;
  return { key: key!, certificate: certificate! };
}

/** The error names `file` and ends with `toDo`. */
export function certificateIn(pem: string, file: string, toDo = ''): X509Certificate {
  return parsed(pem, `${file} holds no certificate${toDo}`, (text) => new X509Certificate(text));
}

export function privateKeyIn(pem: string, file: string, toDo = ''): KeyObject {
  return parsed(pem, `${file} holds no private key${toDo}`, (text) => createPrivateKey(text));
}

function authorityKeyIn(pem: string, file: string): KeyObject {
  const key = privateKeyIn(pem, file, putBack);
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw new UnusableCredentials(`${file} is no ECDSA key on P-256${putBack}`);
}

function parsed<T>(text: string, fault: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UnusableCredentials(fault, { cause: error });
  }
}

function missing(file: string, consequence: string): UnusableCredentials {
  return new UnusableCredentials(
    `${file} cannot be found, and cannot be made from the other keys; put it back from a backup. With a new one ${consequence}; ` +
      'to accept that, move the folder away and start with --new',
  );
}
