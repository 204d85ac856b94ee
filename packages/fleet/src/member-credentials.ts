/** A member authenticates to its hub as a service account there, with short-lived tokens. */
import {
  clusterApi,
  fleetNamespace,
  memberClusters,
  memberNamespace,
  type MemberCluster,
  type MemberClusterSpec,
  type MemberIdentity,
} from '@flotilla/api';
import { requestToken, type Client, type RequestedToken } from '@flotilla/client';
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

/** The member's default identity. The name is that of KubeFleet's scripts. */
export function memberAccount(member: string): MemberAccount {
  return accountNamed(`${member}-hub-cluster-access`);
}

type MemberAccount = MemberIdentity & { readonly namespace: string };

/** The identity of a member that has another service account. */
export function accountNamed(name: string): MemberAccount {
  return { kind: 'ServiceAccount', name, namespace: fleetNamespace };
}

/** An identity as a user, for agents in the hub's process, which need no token. */
export function memberUser(member: string, account = memberAccount(member)): User {
  return serviceAccountUser(account);
}

/** Why a name is invalid for a member. Undefined if it is valid. The member's namespace contains the name. */
export function memberNameProblem(name: string): string | undefined {
  if (name === '') return 'the name of the member is empty';
  const [problem] = dns1123SubdomainProblems(name);
  if (problem !== undefined) return `invalid member name ${JSON.stringify(name)}: ${problem}`;
  const namespace = memberNamespace(name);
  const [namespaceProblem] = nameIsDnsLabel(namespace, false);
  if (namespaceProblem === undefined) return undefined;
  return `invalid member name ${JSON.stringify(name)}: its namespace would be ${namespace}: ${namespaceProblem}`;
}

/** The MemberCluster exists already, with an identity that is not the default one. */
export class MemberHasOtherIdentity extends Error {
  override readonly name = 'MemberHasOtherIdentity';
}

/** Creates the MemberCluster and its service account. Writes nothing if both exist. */
export async function registerMember(
  hub: Client,
  name: string,
  wanted: Partial<Omit<MemberClusterSpec, 'identity'>> = {},
): Promise<MemberCluster> {
  const identity = memberAccount(name);
  const spec = { heartbeatPeriodSeconds: 60, ...wanted, identity };
  const apiVersion = apiVersionOf(clusterApi);
  const member: MemberCluster = { apiVersion, kind: 'MemberCluster', metadata: { name }, spec };
  const [registered] = await Promise.all([getOrCreate(hub, memberClusters, member), ensureAccount(hub, identity)]);
  if (jsonEquals(registered.spec.identity, identity)) return registered;
  const { kind, name: other } = registered.spec.identity;
  throw new MemberHasOtherIdentity(
    `MemberCluster ${name} has the identity of ${kind} ${other}; delete it first, or give the agent credentials of that identity.`,
  );
}

/** Creates the service account where it is missing. */
export async function ensureAccount(hub: Client, { name, namespace }: MemberAccount): Promise<void> {
  await getOrCreate(hub, serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
}

/** Another client may create it in between: then gets it again. */
export async function getOrCreate<T extends KubeObject>(hub: Client, kind: Kind<T>, object: T): Promise<T> {
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

const defaultLifeSeconds = 3600;

/** Requests a new token for a registered member. Creates the service account again if it was deleted. */
export async function memberCredentials(
  hub: Client,
  name: string,
  lifeSeconds = defaultLifeSeconds,
): Promise<RequestedToken> {
  const account = memberAccount(name);
  await ensureAccount(hub, account);
  return requestToken(hub, account, lifeSeconds);
}
