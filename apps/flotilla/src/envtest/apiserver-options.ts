import { join } from 'node:path';
import type { BareServerOptions, ServerOptions } from '@flotilla/fleet/server';
import { formatCidr, isV4, parseCidr } from '@flotilla/kube';
import { readNamedFile } from '../named-file.ts';
import { UserError } from '../user-error.ts';
import type { ProgramFlags } from './program-flags.ts';

/** Turns flags of kube-apiserver into options of a bare server. */
export async function apiserverOptions(flags: ProgramFlags): Promise<BareServerOptions> {
  return {
    files: filesIn(flags),
    dataDirectory: flags.text('data-dir'),
    host: flags.text('bind-address'),
    port: portIn(flags),
    server: await serverOptionsIn(flags),
  };
}

async function serverOptionsIn(flags: ProgramFlags): Promise<ServerOptions> {
  const serviceCidr = serviceCidrIn(flags);
  return {
    ...(serviceCidr !== undefined && { serviceCidr }),
    staticTokens: await tokensIn(flags),
    serviceAccountTokens: await tokenKeysIn(flags),
    disabledAdmission: flags.list('disable-admission-plugins'),
    allowsPrivileged: flags.text('allow-privileged') === 'true',
    allowsAnonymous: flags.text('anonymous-auth') !== 'false',
  };
}

function portIn(flags: ProgramFlags): number {
  const text = flags.text('secure-port') ?? '6443';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UserError(`--secure-port must be a number from 0 to 65535, not ${text}.`);
  return port;
}

/** Only the first range counts: Services have one address here. */
function serviceCidrIn(flags: ProgramFlags): string | undefined {
  const [text] = flags.list('service-cluster-ip-range');
  if (text === undefined) return undefined;
  const range = parseCidr(text);
  if (!range || !isV4(range.network))
    throw new UserError(`--service-cluster-ip-range must be an IPv4 CIDR such as 10.0.0.0/24, not ${text}.`);
  return formatCidr(range);
}

/** The named certificate, or the one in `--cert-dir`. */
function filesIn(flags: ProgramFlags): BareServerOptions['files'] {
  const directory = flags.text('cert-dir') ?? '.';
  const clientAuthority = flags.text('client-ca-file');
  if (clientAuthority === undefined)
    throw new UserError('--client-ca-file is missing: without it no client could authenticate.');
  return {
    certificate: flags.text('tls-cert-file') ?? join(directory, 'apiserver.crt'),
    key: flags.text('tls-private-key-file') ?? join(directory, 'apiserver.key'),
    clientAuthority,
  };
}

async function tokensIn(flags: ProgramFlags): Promise<NonNullable<ServerOptions['staticTokens']>> {
  const file = flags.text('token-auth-file');
  if (file === undefined) return [];
  const { readTokenFile } = await import('../token-file.ts');
  return readTokenFile(file);
}

async function tokenKeysIn(flags: ProgramFlags): Promise<NonNullable<ServerOptions['serviceAccountTokens']>> {
  const issuers = flags.all('service-account-issuer');
  const audiences = flags.list('api-audiences');
  const { signingKey, verificationKeys } = await import('@flotilla/fleet/server');
  const [signing] = await keysIn(flags.all('service-account-signing-key-file'), signingKey);
  const verifying = await keysIn(flags.all('service-account-key-file'), verificationKeys);
  return {
    ...(issuers.length > 0 && { issuers }),
    ...(audiences.length > 0 && { audiences }),
    ...(signing !== undefined && { signingKey: signing }),
    ...(verifying.length > 0 && { verificationKeys: verifying }),
  };
}

/** The contents of key files. Parses each key first, so that a bad one fails the start and not a later request. */
function keysIn(files: readonly string[], parse: (pem: string) => unknown): Promise<string[]> {
  return Promise.all(
    files.map(async (file) => {
      const pem = await readNamedFile(file);
      try {
        parse(pem);
      } catch (error) {
        throw new UserError(`${file} contains no key for service account tokens: ${(error as Error).message}.`, {
          cause: error,
        });
      }
      return pem;
    }),
  );
}
