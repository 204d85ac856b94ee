import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createClient, findAccess, httpTransport, type Access } from '@flotilla/client';
import {
  memberCredentials,
  MemberHasOtherIdentity,
  memberNameProblem,
  registerMember,
  type MemberCredentials,
} from '@flotilla/fleet';
import type { JoinOptions } from '../commands/join.ts';
import { explainedAccess } from '../explain-access-error.ts';
import { writeKubeconfigs } from '../kubeconfig-file.ts';
import { replaceFile } from '../replace-file.ts';
import { say } from '../server-flags.ts';
import { UserFault } from '../user-error.ts';

/** Makes a member known to a hub, and writes its way in: a kubeconfig, and beside it the token, which is read again. */
export async function join(name: string, options: JoinOptions): Promise<void> {
  const problem = memberNameProblem(name);
  if (problem !== undefined) throw new UserFault(`${problem}.`);
  const file = resolve(options.writeKubeconfig);
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new UserFault(`${file} is no regular file; the token is written beside the kubeconfig, so name a file.`);
  }
  try {
    const access = await findAccess({
      ...(options.kubeconfig !== undefined && { kubeconfig: options.kubeconfig }),
      ...(options.context !== undefined && { context: options.context }),
      environment: process.env,
    });
    const { token, expiresAt } = await credentialsFor(name, access, options.duration);
    await write(file, access, token);
    say(`${name} may join until ${expiresAt.toISOString()}. To renew that, run this command again.

Start its agent:
  flotilla agent --name ${name} --hub-kubeconfig ${file} --hub-context hub --member-kubeconfig FILE`);
  } catch (error) {
    throw error instanceof MemberHasOtherIdentity
      ? new UserFault(error.message, { cause: error })
      : explainedAccess(error);
  }
}

async function credentialsFor(
  name: string,
  { transport, impersonate }: Access,
  lifeMs: number,
): Promise<MemberCredentials> {
  const hub = createClient(httpTransport(transport), impersonate && { impersonate });
  try {
    await registerMember(hub, name);
    return await memberCredentials(hub, name, Math.round(lifeMs / 1000));
  } finally {
    await hub.close();
  }
}

async function write(file: string, { transport }: Access, token: string): Promise<void> {
  const { authority } = (await transport.credentials?.current()) ?? {};
  const tokenFile = `${file}.token`;
  await replaceFile(tokenFile, token).catch((error: Error) => {
    throw new UserFault(`cannot write the token: ${error.message}.`, { cause: error });
  });
  const cluster = {
    server: transport.server,
    ...(authority !== undefined && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
  };
  await writeKubeconfigs([{ path: file, isOwn: false }], [{ name: 'hub', cluster, user: { tokenFile } }]);
}
