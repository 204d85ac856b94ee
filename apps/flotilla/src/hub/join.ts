import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createClient, findAccess, httpTransport, type Access, type RequestedToken } from '@flotilla/client';
import {
  allowTokenRenewal,
  memberCredentials,
  MemberHasOtherIdentity,
  memberNameProblem,
  registerMember,
} from '@flotilla/fleet';
import type { JoinOptions } from '../commands/join.ts';
import { explainAccessError } from '../explain-access-error.ts';
import { writeKubeconfigs } from '../kubeconfig-file.ts';
import { replaceFile } from '../replace-file.ts';
import { print } from '../server-flags.ts';
import { UserError } from '../user-error.ts';

/** Registers a member with a hub. Writes a kubeconfig, and beside it the token file that the agent reads again. */
export async function join(name: string, options: JoinOptions): Promise<void> {
  const problem = memberNameProblem(name);
  if (problem !== undefined) throw new UserError(`${problem}.`);
  const file = resolve(options.writeKubeconfig);
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new UserError(`${file} is not a regular file; name a file, because the token is written beside it.`);
  }
  try {
    const access = await findAccess({
      ...(options.kubeconfig !== undefined && { kubeconfig: options.kubeconfig }),
      ...(options.context !== undefined && { context: options.context }),
      environment: process.env,
    });
    const { token, expiresAt } = await credentialsFor(name, access, options.duration);
    await write(file, access, token);
    print(`${name} can join. Its token expires at ${expiresAt.toISOString()}. A running agent renews it before that.

Start its agent:
  flotilla agent --name ${name} --hub-kubeconfig ${file} --hub-context hub --member-kubeconfig FILE`);
  } catch (error) {
    throw error instanceof MemberHasOtherIdentity
      ? new UserError(error.message, { cause: error })
      : explainAccessError(error);
  }
}

async function credentialsFor(
  name: string,
  { transport, impersonate }: Access,
  lifeMs: number,
): Promise<RequestedToken> {
  const hub = createClient(httpTransport(transport), impersonate && { impersonate });
  try {
    await allowTokenRenewal(hub, await registerMember(hub, name));
    return await memberCredentials(hub, name, Math.round(lifeMs / 1000));
  } finally {
    await hub.close();
  }
}

async function write(file: string, { transport }: Access, token: string): Promise<void> {
  const { authority } = (await transport.credentials?.current()) ?? {};
  const tokenFile = `${file}.token`;
  await replaceFile(tokenFile, token).catch((error: Error) => {
    throw new UserError(`cannot write the token: ${error.message}.`, { cause: error });
  });
  const cluster = {
    server: transport.server,
    ...(authority !== undefined && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
  };
  await writeKubeconfigs([{ path: file, isOwn: false }], [{ name: 'hub', cluster, user: { tokenFile } }]);
}
