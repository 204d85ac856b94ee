/** Joins the flags of `flotilla up` with the hub's section of a fleet file. */
import type { HubShape } from '@flotilla/fleet';
import type { CredentialFlags } from '../apiserver-flags.ts';
import type { AuditFlags } from '../audit-flags.ts';
import { authenticationFlagsIn, type AuthenticationFlags } from '../authentication-flags.ts';
import type { ServerFlags } from '../server-flags.ts';

export type HubFlags = ServerFlags & CredentialFlags & AuthenticationFlags & Partial<AuditFlags>;

/** Whether the user has typed the flag. */
export type IsTyped = (name: string) => boolean;

/** A typed flag wins over the file. */
export function flagsWithFile(flags: ServerFlags, isTyped: IsTyped, hub: HubShape): HubFlags {
  const { dataDir, memory, port, host, writeKubeconfig, logLevel } = hub;
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = hub;
  const { tokenAuthFile, clientCaFile, tlsCertFile, tlsPrivateKeyFile, anonymousAuth } = hub;
  const fromFile = defined({ port, host, writeKubeconfig, logLevel });
  const typed = Object.fromEntries(Object.entries(flags).filter(([name]) => isTyped(name)));
  const hasTypedStorage = isTyped('dataDir') || isTyped('memory');
  return {
    ...flags,
    ...fromFile,
    ...(!hasTypedStorage && defined({ dataDir, memory })),
    ...defined({ auditPolicyFile, auditLogPath, auditWebhookConfigFile }),
    ...authenticationIn(hub, authenticationFlagsIn(typed)),
    ...typed,
    ...defined({ tokenAuthFile, clientCaFile, tlsCertFile, tlsPrivateKeyFile }),
    anonymousAuth: anonymousAuth ? 'true' : 'false',
  };
}

/** What the file says of users' tokens. A configuration file and flags for one issuer exclude each other, so what is typed decides. */
function authenticationIn(hub: HubShape, typed: AuthenticationFlags): AuthenticationFlags {
  if (typed.authenticationConfig !== undefined) return {};
  const { authenticationConfig, ...issuer } = authenticationFlagsIn(hub);
  const hasTypedIssuer = Object.keys(typed).length > 0;
  return authenticationConfig === undefined || hasTypedIssuer ? issuer : { authenticationConfig, ...issuer };
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
