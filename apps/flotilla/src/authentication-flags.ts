/** Options of users' tokens, named as kube-apiserver names them. */
import { Option, type Command } from 'commander';

export interface AuthenticationFlags {
  readonly authenticationConfig?: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcCaFile?: string;
  readonly oidcUsernameClaim?: string;
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcGroupsPrefix?: string;
  readonly oidcSigningAlgs?: readonly string[];
  readonly oidcRequiredClaim?: readonly string[];
}

/** The help shows those that most users need; docs/authentication.md has all. */
export function addAuthenticationFlags(command: Command): Command {
  const hidden = [
    new Option('--oidc-ca-file <file>'),
    new Option('--oidc-username-claim <claim>'),
    new Option('--oidc-username-prefix <text>'),
    new Option('--oidc-groups-claim <claim>'),
    new Option('--oidc-groups-prefix <text>'),
    new Option('--oidc-signing-algs <names>').argParser((text) => text.split(',')),
    new Option('--oidc-required-claim <claim=value>').argParser((text, before?: readonly string[]) => [
      ...(before ?? []),
      text,
    ]),
  ];
  command
    .option(
      '--authentication-config <file>',
      "issuers of users' tokens: an AuthenticationConfiguration; read again when it changes",
    )
    .option('--oidc-issuer-url <url>', 'one OpenID Connect issuer, without a file')
    .option('--oidc-client-id <id>', 'audience of its tokens');
  for (const option of hidden) command.addOption(option.hideHelp());
  return command;
}

const names = ['authenticationConfig', 'oidcIssuerUrl', 'oidcClientId', 'oidcCaFile', 'oidcUsernameClaim'] as const;
const moreNames = ['oidcUsernamePrefix', 'oidcGroupsClaim', 'oidcGroupsPrefix'] as const;
const listNames = ['oidcSigningAlgs', 'oidcRequiredClaim'] as const;

/** Those of all flags that are about users' tokens and that the user has set. */
export function authenticationFlagsIn(flags: AuthenticationFlags): AuthenticationFlags {
  const all = [...names, ...moreNames, ...listNames].map((name) => [name, flags[name]] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}
