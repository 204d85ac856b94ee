import { readFile } from 'node:fs/promises';
import type { ServerIdentity } from './certificates.ts';
import { certificateIn, privateKeyIn } from './check-credentials.ts';
import { UnusableCredentials } from './unusable-credentials.ts';

/** Paths of PEM files that the user provides and replaces. */
export interface ServingFiles {
  /** Both or none: with none the server uses its own certificate. */
  readonly certificate?: string;
  readonly key?: string;
  /** What clients trust; by default the certificate itself. */
  readonly authority?: string;
  /** Signs client certificates, in addition to the server's own authority. */
  readonly clientAuthority?: string;
}

/** The server's own identity with the parts that files replace. Throws `UnusableCredentials`. */
export async function identityWithFiles(own: ServerIdentity, files: ServingFiles): Promise<ServerIdentity> {
  const { certificate, key, authority, clientAuthority } = files;
  const clients = clientAuthority === undefined ? '' : await readCertificates(clientAuthority);
  const clientAuthorities = { clientAuthority: `${own.clientAuthority.trimEnd()}\n${clients}` };
  if (certificate === undefined || key === undefined) return { ...own, ...clientAuthorities };
  const shown = await readPair(certificate, key);
  return { ...shown, authority: await readCertificates(authority ?? certificate), ...clientAuthorities };
}

/** An identity from files only, for a server without its own. Throws `UnusableCredentials`. */
export async function identityOfFiles({
  certificate,
  key,
  authority = certificate,
  clientAuthority,
}: CompleteFiles): Promise<ServerIdentity> {
  return {
    ...(await readPair(certificate, key)),
    authority: await readCertificates(authority),
    clientAuthority: await readCertificates(clientAuthority),
  };
}

export type CompleteFiles = ServingFiles & Required<Pick<ServingFiles, 'certificate' | 'key' | 'clientAuthority'>>;

async function readPair(file: string, keyFile: string): Promise<Pick<ServerIdentity, 'certificate' | 'key'>> {
  const certificate = await readCertificates(file);
  const key = await read(keyFile);
  if (!certificateIn(certificate, file).checkPrivateKey(privateKeyIn(key, keyFile))) {
    throw new UnusableCredentials(`${keyFile} is not the key of ${file}`);
  }
  return { certificate, key };
}

/** A file may have several certificates, with text between them. */
async function readCertificates(file: string): Promise<string> {
  const text = await read(file);
  certificateIn(text, file);
  for (const [block] of text.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)) {
    certificateIn(block, file);
  }
  return text;
}

function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UnusableCredentials(`cannot read ${file}: ${error.message}`, { cause: error });
  });
}
