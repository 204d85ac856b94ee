/** Turns the flags of users' tokens into options of a server. Loaded only if there are any. */
import {
  ConfigurationError,
  readAuthenticationConfiguration,
  signingAlgorithms,
  type ServerOptions,
} from '@flotilla/fleet/server';
import { stringifyJson, type JsonObject } from '@flotilla/kube';
import type { AuthenticationFlags } from './authentication-flags.ts';
import { readNamedFile } from './named-file.ts';
import { UserError } from './user-error.ts';

type AuthenticationOptions = NonNullable<ServerOptions['authentication']>;

export async function authenticationOptionsIn(flags: AuthenticationFlags): Promise<AuthenticationOptions> {
  const { authenticationConfig: file, ...others } = flags;
  const hasOidcFlags = Object.values(others).some((value) => value !== undefined);
  if (file === undefined) return fromFlags(flags);
  if (hasOidcFlags) throw new UserError('--authentication-config and --oidc-* exclude each other; choose one.');
  const content = await readNamedFile(file);
  const configuration = checked(() => readAuthenticationConfiguration(content), `${file}: `);
  return { configuration, content, reread: () => readNamedFile(file) };
}

async function fromFlags(flags: AuthenticationFlags): Promise<AuthenticationOptions> {
  const { oidcIssuerUrl: url, oidcClientId: audience, oidcSigningAlgs: algorithms = ['RS256'] } = flags;
  if (url === undefined || audience === undefined) {
    throw new UserError('--oidc-issuer-url and --oidc-client-id must be set together with any other --oidc-* flag.');
  }
  const unknown = algorithms.find((name) => !signingAlgorithms.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`--oidc-signing-algs: ${unknown} is none of ${signingAlgorithms.join(', ')}.`);
  }
  const authority = flags.oidcCaFile === undefined ? '' : await readNamedFile(flags.oidcCaFile);
  const content = stringifyJson(configurationOf(flags, url, audience, authority));
  return {
    configuration: checked(() => readAuthenticationConfiguration(content), '--oidc-*: '),
    signingAlgorithms: algorithms,
  };
}

function configurationOf(flags: AuthenticationFlags, url: string, audience: string, authority: string): JsonObject {
  const {
    oidcUsernameClaim: claim = 'sub',
    oidcUsernamePrefix: prefix = '',
    oidcGroupsClaim,
    oidcGroupsPrefix,
  } = flags;
  // Names of several issuers must not be the same; an address is unique by itself.
  const ownPrefix = claim === 'email' ? '' : `${url}#`;
  const username = { claim, prefix: prefix === '-' ? '' : prefix || ownPrefix };
  const groups = oidcGroupsClaim === undefined ? undefined : { claim: oidcGroupsClaim, prefix: oidcGroupsPrefix ?? '' };
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url, audiences: [audience], certificateAuthority: authority },
        claimMappings: { username, ...(groups && { groups }) },
        claimValidationRules: (flags.oidcRequiredClaim ?? []).map(requiredClaim),
      },
    ],
  };
}

function requiredClaim(text: string): JsonObject {
  const mark = text.indexOf('=');
  if (mark < 1) throw new UserError(`--oidc-required-claim must be claim=value, not ${text}.`);
  return { claim: text.slice(0, mark), requiredValue: text.slice(mark + 1) };
}

function checked<T>(read: () => T, where: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UserError(`${where}${error.message}.`, { cause: error });
  }
}
