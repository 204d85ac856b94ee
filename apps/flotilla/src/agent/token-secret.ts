/** The hub's token of an agent in a pod is in a Secret of the member: it survives the pod, and the agent replaces it there. */
import type { Client } from '@flotilla/client';
import { secrets } from '@flotilla/kube';
import { replaceFile } from '../replace-file.ts';
import { UserError } from '../user-error.ts';
import type { ConnectionFlags } from './agent-flags.ts';
import type { Cluster } from './connect-clusters.ts';
import { tokenIn } from './refresh-token.ts';

export interface TokenSecret {
  readonly namespace: string;
  readonly name: string;
  /** Where the kubeconfig reads the token. */
  readonly file: string;
}

/** Undefined without the flag. */
export function tokenSecretIn({ hubTokenSecret }: ConnectionFlags, { tokenFile }: Cluster): TokenSecret | undefined {
  if (hubTokenSecret === undefined) return undefined;
  const [namespace = '', name = '', ...rest] = hubTokenSecret.split('/');
  if (namespace === '' || name === '' || rest.length > 0) {
    throw new UserError(`--hub-token-secret must be NAMESPACE/NAME, not ${hubTokenSecret}.`);
  }
  if (tokenFile === undefined) {
    throw new UserError('--hub-token-secret only applies if --hub-kubeconfig names a token file.');
  }
  return { namespace, name, file: tokenFile };
}

/** Copies the token to the file that the kubeconfig names. */
export async function copyToken(member: Client, secret: TokenSecret, signal: AbortSignal): Promise<void> {
  await replaceFile(secret.file, await tokenIn(member, secret, signal));
}

/** The Secret first: a pod that starts after a failure must not find a token that has expired. */
export async function storeToken(member: Client, { namespace, name, file }: TokenSecret, token: string): Promise<void> {
  const data = { token: Buffer.from(token).toString('base64') };
  await member.patch(secrets, { namespace, name }, { type: 'merge', value: { data } });
  await replaceFile(file, token);
}
