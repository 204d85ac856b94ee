import { readFile } from 'node:fs/promises';
import type { ServerIdentity } from './certificates.ts';

/** Certificates that somebody else makes and replaces; paths of PEM files. */
export interface ServingFiles {
  /** Both or none: with none the server shows a certificate of its own. */
  readonly certificate?: string;
  readonly key?: string;
  /** What clients should trust; the certificate itself when nothing is said. */
  readonly authority?: string;
  /** Signs client certificates, beside our own authority. */
  readonly clientAuthority?: string;
}

/** Our own identity with the parts that files give in place of ours. */
export async function identityWithFiles(own: ServerIdentity, files: ServingFiles): Promise<ServerIdentity> {
  const read = (file: string): Promise<string> => readFile(file, 'utf8');
  const { certificate, key, authority, clientAuthority } = files;
  const clients = clientAuthority === undefined ? '' : await read(clientAuthority);
  const believed = { clientAuthority: `${own.clientAuthority.trimEnd()}\n${clients}` };
  if (certificate === undefined || key === undefined) return { ...own, ...believed };
  const shown = { certificate: await read(certificate), key: await read(key) };
  return { ...shown, authority: await read(authority ?? certificate), ...believed };
}

/** An identity of files alone, for a server that has none of its own: all that it shows and believes is somebody else's. */
export async function identityOfFiles({
  certificate,
  key,
  authority = certificate,
  clientAuthority,
}: CompleteFiles): Promise<ServerIdentity> {
  const read = (file: string): Promise<string> => readFile(file, 'utf8');
  return {
    certificate: await read(certificate),
    key: await read(key),
    authority: await read(authority),
    clientAuthority: await read(clientAuthority),
  };
}

export type CompleteFiles = ServingFiles & Required<Pick<ServingFiles, 'certificate' | 'key' | 'clientAuthority'>>;
