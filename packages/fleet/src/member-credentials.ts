/** How a member comes to a hub: as a service account there, with tokens that do not last. */
import {
  clusterApi,
  fleetNamespace,
  memberClusters,
  memberNamespace,
  type MemberCluster,
  type MemberClusterSpec,
  type MemberIdentity,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  dns1123SubdomainProblems,
  isAlreadyExists,
  isNotFound,
  jsonEquals,
  nameIsDnsLabel,
  serviceAccounts,
  serviceAccountUser,
  type Kind,
  type KubeObject,
  type User,
} from '@flotilla/kube';

/** The member's identity, unless somebody gives it another. The name is the one that KubeFleet's scripts give. */
export function memberAccount(member: string): MemberIdentity & { readonly namespace: string } {
  return { kind: 'ServiceAccount', name: `${member}-hub-cluster-access`, namespace: fleetNamespace };
}

/** The same as a user, for agents in the hub's own process: who cannot lose a token needs none. */
export function memberUser(member: string): User {
  return serviceAccountUser(memberAccount(member));
}

/** Why no member can have this name, as a sentence; undefined if one can. Its namespace is called after it. */
export function memberNameProblem(name: string): string | undefined {
  if (name === '') return 'a member needs a name';
  const [fault] = dns1123SubdomainProblems(name);
  if (fault !== undefined) return `no member can be called ${JSON.stringify(name)}: ${fault}`;
  const namespace = memberNamespace(name);
  const [problem] = nameIsDnsLabel(namespace, false);
  return problem === undefined
    ? undefined
    : `no member can be called ${name}, since its namespace ${namespace} cannot: ${problem}`;
}

/** The member is there already, and another comes in its name. */
export class MemberHasOtherIdentity extends Error {
  override readonly name = 'MemberHasOtherIdentity';
}

/** Makes a member known to a hub, and its account. Where both are there already, nothing is written. */
export async function registerMember(
  hub: Client,
  name: string,
  wanted: Partial<Omit<MemberClusterSpec, 'identity'>> = {},
): Promise<MemberCluster> {
  const identity = memberAccount(name);
  const spec = { heartbeatPeriodSeconds: 60, ...wanted, identity };
  const apiVersion = apiVersionOf(clusterApi);
  const member: MemberCluster = { apiVersion, kind: 'MemberCluster', metadata: { name }, spec };
  const [registered] = await Promise.all([found(hub, memberClusters, member), makeAccount(hub, name)]);
  if (jsonEquals(registered.spec.identity, identity)) return registered;
  const { kind, name: other } = registered.spec.identity;
  throw new MemberHasOtherIdentity(
    `MemberCluster ${name} has the identity of ${kind} ${other}; its agent comes as that.`,
  );
}

async function makeAccount(hub: Client, member: string): Promise<void> {
  const { name, namespace } = memberAccount(member);
  await found(hub, serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
}

/** What is there of this name, or what is made now, by us or by somebody who was faster. */
async function found<T extends KubeObject>(hub: Client, kind: Kind<T>, object: T): Promise<T> {
  const { namespace, name = '' } = object.metadata;
  const get = (): Promise<T> => hub.get(kind, { namespace, name });
  return get().catch((missing: unknown) => {
    if (!isNotFound(missing)) throw missing;
    return hub.create(kind, object).catch((taken: unknown) => {
      if (!isAlreadyExists(taken)) throw taken;
      return get();
    });
  });
}

export interface MemberCredentials {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Who asks again before this is over has a new one in time. */
const defaultLifeSeconds = 3600;

/** A token for a registered member. To renew it is to ask again; the account is made anew where it is gone. */
export async function memberCredentials(
  hub: Client,
  name: string,
  lifeSeconds = defaultLifeSeconds,
): Promise<MemberCredentials> {
  await makeAccount(hub, name);
  const account = memberAccount(name);
  const { body } = await hub.request({
    method: 'POST',
    path: `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: lifeSeconds } },
  });
  const { status } = JSON.parse(Buffer.from(body).toString()) as TokenAnswer;
  return { token: status.token, expiresAt: new Date(status.expirationTimestamp) };
}

interface TokenAnswer {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}
