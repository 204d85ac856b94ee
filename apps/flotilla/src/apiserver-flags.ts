/** Options of the API server itself, by the names that kube-apiserver gives them. A new one has its row and its line here. */
import { X509Certificate } from 'node:crypto';
import type { ServerOptions, StartServerOptions } from '@flotilla/fleet/server';
import { Option, type Command } from 'commander';
import { readNamedFile } from './named-file.ts';
import { UserFault } from './user-error.ts';

export interface CredentialFlags {
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly anonymousAuth: 'true' | 'false';
}

/** Whom a server lets in, and what it shows, beside what it makes itself. */
export function addCredentialFlags(command: Command): Command {
  return command
    .option('--token-auth-file <file>', 'let these in too: lines of token,user,uid,"group1,group2"')
    .option('--client-ca-file <file>', 'believe client certificates that these authorities signed, too')
    .option('--tls-cert-file <file>', 'show this certificate in place of one of our own; read again when it changes')
    .option('--tls-private-key-file <file>', 'its key')
    .addOption(
      new Option('--anonymous-auth <yes>', 'let requests in that show no credentials; they may do little')
        .choices(['true', 'false'])
        .default('true'),
    );
}

export interface AdmissionFlags {
  readonly allowPrivileged: boolean;
  readonly disableAdmissionPlugins?: readonly string[];
}

/** Which objects a server takes. */
export function addAdmissionFlags(command: Command): Command {
  return command
    .option('--allow-privileged', 'let pods have privileged containers, as the flag of kube-apiserver does', false)
    .option('--disable-admission-plugins <names>', 'leave these out, separated by commas', namesIn);
}

function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}

/** Files are looked at first, so that a fault in one is a sentence. */
export async function serverOptionsIn(flags: Partial<CredentialFlags & AdmissionFlags>): Promise<ServerOptions> {
  const { tokenAuthFile, anonymousAuth, allowPrivileged, disableAdmissionPlugins } = flags;
  return {
    ...(tokenAuthFile !== undefined && { staticTokens: await tokensIn(tokenAuthFile) }),
    ...(anonymousAuth !== undefined && { allowsAnonymous: anonymousAuth === 'true' }),
    ...(allowPrivileged !== undefined && { allowsPrivileged: allowPrivileged }),
    ...(disableAdmissionPlugins !== undefined && { disabledAdmission: disableAdmissionPlugins }),
  };
}

type ServingFiles = NonNullable<StartServerOptions['servingFiles']>;

export async function servingFilesIn(flags: Partial<CredentialFlags>): Promise<ServingFiles> {
  const { clientCaFile: clientAuthority, tlsCertFile: certificate, tlsPrivateKeyFile: key } = flags;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UserFault('--tls-cert-file and --tls-private-key-file need each other.');
  }
  if (clientAuthority !== undefined) await checkCertificate(clientAuthority);
  if (certificate !== undefined) await checkCertificate(certificate);
  if (key !== undefined) await readNamedFile(key);
  return {
    ...(certificate !== undefined && key !== undefined && { certificate, key }),
    ...(clientAuthority !== undefined && { clientAuthority }),
  };
}

async function checkCertificate(file: string): Promise<X509Certificate> {
  const content = await readNamedFile(file);
  try {
    return new X509Certificate(content);
  } catch (error) {
    throw new UserFault(`${file} has no certificate.`, { cause: error });
  }
}

async function tokensIn(file: string): Promise<NonNullable<ServerOptions['staticTokens']>> {
  const { readTokenFile } = await import('./token-file.ts');
  return readTokenFile(file);
}
