import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@flotilla/timing';
import { messageOf } from '../connection-error.ts';
import type { Credentials, Identity } from '../http/credentials.ts';
import { runExecPlugin } from './exec-plugin.ts';
import { KubeconfigError, type ClusterEntry, type Secret, type UserEntry } from './kubeconfig.ts';
import type { Environment } from './load-kubeconfig.ts';
import { rotatingCredentials } from './rotating-credentials.ts';

/** client-go rereads token files at this interval, too. */
const fileAgeMs = 60_000;

interface Dependencies {
  readonly clock: Clock;
  readonly environment: Environment;
}

/** The credentials of a user for a cluster. Rereads files and reruns plugins. */
export function userCredentials(cluster: ClusterEntry, user: UserEntry, dependencies: Dependencies): Credentials {
  const { clock } = dependencies;
  const { exec } = user;
  const readFiles = keepingLast(() => identityIn(cluster, user));
  // A token or certificate takes precedence over an exec plugin.
  if (
    exec === undefined ||
    user.token !== undefined ||
    user.tokenFile !== undefined ||
    user.certificate !== undefined
  ) {
    return rotatingCredentials(async () => ({ identity: await readFiles(), staleAt: clock.now() + fileAgeMs }), clock);
  }
  return rotatingCredentials(async () => {
    const inFiles = await readFiles();
    const { identity, ...rest } = await runExecPlugin(exec, { cluster, authority: inFiles.authority, ...dependencies });
    return { ...rest, identity: { ...inFiles, ...identity } };
  }, clock);
}

async function identityIn({ authority }: ClusterEntry, user: UserEntry): Promise<Identity> {
  const authorization = await authorizationOf(user);
  return {
    ...(authority && { authority: await secretText(authority, 'certificate authority') }),
    ...(user.certificate && user.key && (await pairOf(user.certificate, user.key))),
    ...(authorization !== undefined && { authorization }),
  };
}

/** Certificate and key are replaced one after the other. A pair that does not match may be half replaced. */
async function pairOf(certificateIn: Secret, keyIn: Secret): Promise<Pick<Identity, 'certificate' | 'key'>> {
  const certificate = await secretText(certificateIn, 'client certificate');
  const key = await secretText(keyIn, 'client key');
  if (!isPair(certificate, key)) throw new KubeconfigError('the client certificate and its key do not belong together');
  return { certificate, key };
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new KubeconfigError(`the client certificate cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** A token file takes precedence over an inline token, which is its first value. */
async function authorizationOf(user: UserEntry): Promise<string | undefined> {
  const { token, tokenFile, username, password } = user;
  if (tokenFile !== undefined) return `Bearer ${await tokenIn(tokenFile)}`;
  if (token !== undefined) return `Bearer ${token}`;
  if (username === undefined && password === undefined) return undefined;
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
}

async function tokenIn(file: string): Promise<string> {
  const token = (await secretText({ file }, 'token')).trim();
  if (token === '') throw new KubeconfigError(`the token in ${file} is empty`);
  return token;
}

async function secretText(secret: Secret, what: string): Promise<string> {
  if ('text' in secret) return secret.text;
  return readFile(secret.file, 'utf8').catch((error: unknown) => {
    throw new KubeconfigError(`the ${what} cannot be read: ${messageOf(error)}`, { cause: error });
  });
}

/** Keeps the last identity while a file is missing during its replacement. */
function keepingLast(read: () => Promise<Identity>): () => Promise<Identity> {
  let last: Identity | undefined;
  return async () => {
    try {
      last = await read();
    } catch (error) {
      if (last === undefined) throw error;
    }
    return last;
  };
}
