/** Whom a server lets in, and what it shows, beside what it makes itself: flags that are named as kube-apiserver's. */
import { X509Certificate } from 'node:crypto';
import type { StartServerOptions } from '@flotilla/fleet/server';
import { Option, type Command } from 'commander';
import { readNamedFile } from './named-file.ts';
import { UserFault } from './user-fault.ts';

export interface CredentialOptions {
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly anonymousAuth: 'true' | 'false';
}

export function addCredentialOptions(command: Command): Command {
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

type Credentials = Pick<StartServerOptions, 'staticTokens' | 'servingFiles' | 'allowsAnonymous'>;

/** What a server is started with. Files are looked at first, so that a fault in one is a sentence. */
export async function credentialsIn(options: CredentialOptions): Promise<Credentials> {
  const { tokenAuthFile, clientCaFile: clientAuthority, tlsCertFile: certificate, tlsPrivateKeyFile: key } = options;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UserFault('--tls-cert-file and --tls-private-key-file need each other.');
  }
  if (clientAuthority !== undefined) await checkCertificate(clientAuthority);
  if (certificate !== undefined) await checkCertificate(certificate);
  if (key !== undefined) await readNamedFile(key);
  return {
    ...(tokenAuthFile !== undefined && { staticTokens: await tokensIn(tokenAuthFile) }),
    servingFiles: {
      ...(certificate !== undefined && key !== undefined && { certificate, key }),
      ...(clientAuthority !== undefined && { clientAuthority }),
    },
    allowsAnonymous: options.anonymousAuth === 'true',
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

async function tokensIn(file: string): Promise<NonNullable<Credentials['staticTokens']>> {
  const { readTokenFile } = await import('./token-file.ts');
  return readTokenFile(file);
}
