/** Options of the API server, named as kube-apiserver names them. Add a new one here only. */
import { X509Certificate } from 'node:crypto';
import type { ServerOptions, StartServerOptions } from '@flotilla/fleet/server';
import { Option, type Command } from 'commander';
import type { AuditFlags } from './audit-flags.ts';
import { authenticationFlagsIn, type AuthenticationFlags } from './authentication-flags.ts';
import { readNamedFile } from './named-file.ts';
import { UserError } from './user-error.ts';

export interface CredentialFlags {
  readonly tokenAuthFile?: string;
  readonly clientCaFile?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly anonymousAuth: 'true' | 'false';
  /** Whether the user has typed it. */
  readonly hasAnonymousAuth?: boolean;
}

/** Credentials in addition to those that the server creates itself. */
export function addCredentialFlags(command: Command): Command {
  return command
    .option('--token-auth-file <file>', 'static tokens: a CSV file of token,user,uid,"group1,group2"')
    .option('--client-ca-file <file>', 'further CAs that sign client certificates')
    .option('--tls-cert-file <file>', "serving certificate instead of the server's own; read again when it changes")
    .option('--tls-private-key-file <file>', 'key of --tls-cert-file')
    .addOption(
      new Option('--anonymous-auth <bool>', 'accept requests without credentials, as system:anonymous')
        .choices(['true', 'false'])
        .default('true')
        .implies({ hasAnonymousAuth: true }),
    );
}

export interface AdmissionFlags {
  readonly allowPrivileged: boolean;
  readonly disableAdmissionPlugins?: readonly string[];
}

export function addAdmissionFlags(command: Command): Command {
  return command
    .option('--allow-privileged', 'allow privileged containers', false)
    .option('--disable-admission-plugins <names>', 'admission plugins to disable, separated by commas', namesIn);
}

function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}

/** Reads files before the server starts, so that a problem with one is reported without a stack trace. */
export async function serverOptionsIn(
  flags: Partial<CredentialFlags & AdmissionFlags & AuthenticationFlags & AuditFlags>,
): Promise<ServerOptions> {
  const { tokenAuthFile, anonymousAuth, allowPrivileged, disableAdmissionPlugins } = flags;
  return {
    ...(tokenAuthFile !== undefined && { staticTokens: await tokensIn(tokenAuthFile) }),
    ...(anonymousAuth !== undefined && { allowsAnonymous: anonymousAuth === 'true' }),
    ...(allowPrivileged !== undefined && { allowsPrivileged: allowPrivileged }),
    ...(disableAdmissionPlugins !== undefined && { disabledAdmission: disableAdmissionPlugins }),
    ...(await authenticationIn(flags)),
    ...(await auditIn(flags)),
  };
}

async function authenticationIn(
  flags: AuthenticationFlags & Partial<CredentialFlags>,
): Promise<Pick<ServerOptions, 'authentication'>> {
  const given = authenticationFlagsIn(flags);
  if (Object.keys(given).length === 0) return {};
  const { authenticationOptionsIn } = await import('./authentication-options.ts');
  const authentication = await authenticationOptionsIn(given);
  if (flags.hasAnonymousAuth && authentication.configuration.anonymous) {
    throw new UserError(`--anonymous-auth cannot be set: ${given.authenticationConfig} has the field anonymous.`);
  }
  return { authentication };
}

async function auditIn(flags: Partial<AuditFlags>): Promise<Pick<ServerOptions, 'audit'>> {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = flags;
  const hasBackend = auditLogPath !== undefined || auditWebhookConfigFile !== undefined;
  if (auditPolicyFile === undefined) {
    if (hasBackend) throw new UserError('--audit-policy-file is missing: without a policy nothing is recorded.');
    return {};
  }
  if (!hasBackend) throw new UserError('--audit-policy-file needs --audit-log-path or --audit-webhook-config-file.');
  const { auditOptionsIn } = await import('./audit-options.ts');
  return { audit: await auditOptionsIn(auditPolicyFile, flags as AuditFlags) };
}

type ServingFiles = NonNullable<StartServerOptions['servingFiles']>;

export async function servingFilesIn(flags: Partial<CredentialFlags>): Promise<ServingFiles> {
  const { clientCaFile: clientAuthority, tlsCertFile: certificate, tlsPrivateKeyFile: key } = flags;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new UserError('--tls-cert-file and --tls-private-key-file must be set together.');
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
    throw new UserError(`${file} contains no PEM certificate.`, { cause: error });
  }
}

async function tokensIn(file: string): Promise<NonNullable<ServerOptions['staticTokens']>> {
  const { readTokenFile } = await import('./token-file.ts');
  return readTokenFile(file);
}
