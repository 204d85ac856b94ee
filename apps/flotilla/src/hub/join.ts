import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { createClient, findAccess, httpTransport, type Access, type RequestedToken } from '@flotilla/client';
import {
  allowTokenRenewal,
  memberCredentials,
  MemberHasOtherIdentity,
  memberNameProblem,
  registerMember,
} from '@flotilla/fleet';
import { printYaml } from '@flotilla/kube';
import type { JoinOptions } from '../commands/join.ts';
import { explainAccessError } from '../explain-access-error.ts';
import { writeKubeconfigs } from '../kubeconfig-file.ts';
import { replaceFile } from '../replace-file.ts';
import { print } from '../server-flags.ts';
import { shellQuoted } from '../shell-quoted.ts';
import { findServer } from '../session/find-server.ts';
import { serverText } from '../session/with-hub.ts';
import { UserError } from '../user-error.ts';
import type { AgentManifestOptions, HubEntry } from './agent-manifests.ts';

/** Registers a member with a hub, and gives its agent access: in a kubeconfig, or in manifests. */
export async function join(name: string, options: JoinOptions): Promise<void> {
  const problem = memberNameProblem(name);
  if (problem !== undefined) throw new UserError(`${problem}.`);
  const { image } = options;
  if (image !== undefined && options.writeKubeconfig !== undefined) {
    throw new UserError('--image and --write-kubeconfig exclude each other; choose one.');
  }
  if (options.server !== undefined && !URL.canParse(options.server)) {
    throw new UserError(`--server must be a URL such as https://hub.example.com:6443, not ${options.server}.`);
  }
  const file = resolve(options.writeKubeconfig ?? `${name}.kubeconfig`);
  if (image === undefined) await refuseSpecialFile(file);
  try {
    const { kubeconfig, source } = await findServer(options);
    const access = await findAccess({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(options.context !== undefined && { context: options.context }),
      environment: process.env,
    });
    if (source !== undefined) process.stderr.write(`${serverText(source, access.transport.server)}\n`);
    const { token, expiresAt } = await credentialsFor(name, access, options.duration);
    const hub = await hubEntry(access, options.server);
    const state = `${name} can join. Its token expires at ${expiresAt.toISOString()}. A running agent renews it before that.`;
    if (image !== undefined) return await printManifests({ member: name, image, token, hub }, state);
    await write(file, hub, token);
    print(`${state}

Start its agent:
  flotilla agent --name ${name} --hub-kubeconfig ${shellQuoted(file)} --hub-context hub --member-kubeconfig FILE`);
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

/** The token file is beside the kubeconfig. */
async function refuseSpecialFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found || found.isFile()) return;
  throw new UserError(`${file} is not a regular file; name a file, because the token is written beside it.`);
}

/** The hub as the administrator reaches it. Members use their own proxy. */
async function hubEntry({ transport }: Access, server = transport.server): Promise<HubEntry> {
  const { authority } = (await transport.credentials?.current()) ?? {};
  const { serverName, skipsVerification } = transport;
  return {
    server,
    ...(authority !== undefined && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(serverName !== undefined && { 'tls-server-name': serverName }),
    ...(skipsVerification && { 'insecure-skip-tls-verify': true }),
  };
}

/** Standard output is for `kubectl apply -f -`, so that the rest goes to standard error. */
async function printManifests(options: AgentManifestOptions, state: string): Promise<void> {
  const { agentManifests } = await import('./agent-manifests.ts');
  print(
    agentManifests(options)
      .map((object) => printYaml(object).trimEnd())
      .join('\n---\n'),
  );
  const { hostname } = new URL(options.hub.server);
  const isLoopback = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const advice = isLoopback ? `\nPods cannot reach ${options.hub.server}; name the hub's address with --server.` : '';
  process.stderr.write(`${state} Apply the manifests to the member.${advice}\n`);
}

async function write(file: string, cluster: HubEntry, token: string): Promise<void> {
  const tokenFile = `${file}.token`;
  await replaceFile(tokenFile, token).catch((error: Error) => {
    throw new UserError(`cannot write the token: ${error.message}.`, { cause: error });
  });
  // Relative to the kubeconfig, so that both can be moved to the machine of the agent.
  const user = { tokenFile: basename(tokenFile) };
  await writeKubeconfigs([{ path: file, isOwn: false }], [{ name: 'hub', cluster, user }]);
}
