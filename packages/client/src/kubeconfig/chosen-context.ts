import { dns1123LabelProblems } from '@flotilla/kube';
import {
  KubeconfigError,
  type ClusterEntry,
  type ContextEntry,
  type Kubeconfig,
  type UserEntry,
} from './kubeconfig.ts';

export interface ChosenContext {
  readonly name: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  readonly namespace: string;
}

/** The context of that name, or the current one, with what it points to. Says everything that is wrong with it at once. */
export function chosenContext(kubeconfig: Kubeconfig, wanted: string | undefined): ChosenContext {
  const name = wanted ?? kubeconfig.currentContext;
  if (name === '') throw new KubeconfigError('the kubeconfig names no current context, and none was chosen');
  const context = kubeconfig.contexts.get(name);
  if (context === undefined) throw new KubeconfigError(`the kubeconfig has no context "${name}"`);
  const cluster = kubeconfig.clusters.get(context.cluster);
  const user = kubeconfig.users.get(context.user);
  const problems = [
    ...referenceProblems('cluster', context.cluster, cluster),
    ...referenceProblems('user', context.user, user),
    ...namespaceProblems(context),
    ...(cluster === undefined ? [] : clusterProblems(context.cluster, cluster)),
    ...(user === undefined ? [] : userProblems(context.user, user)),
  ];
  if (problems.length > 0 || cluster === undefined || user === undefined) {
    throw new KubeconfigError(`the context "${name}" cannot be used: ${problems.join('; ')}`);
  }
  return { name, cluster, user, namespace: context.namespace ?? 'default' };
}

function referenceProblems(what: string, name: string, entry: object | undefined): string[] {
  if (entry !== undefined) return [];
  return [name === '' ? `it names no ${what}` : `there is no ${what} "${name}"`];
}

function namespaceProblems({ namespace }: ContextEntry): string[] {
  if (namespace === undefined || dns1123LabelProblems(namespace).length === 0) return [];
  return [`"${namespace}" is no name for a namespace`];
}

function clusterProblems(name: string, { server, proxy, skipsVerification, authority }: ClusterEntry): string[] {
  const problems: string[] = [];
  if (server === '') problems.push(`the cluster "${name}" has no server`);
  else if (!hasScheme(server, ['https:', 'http:'])) problems.push(`the server "${server}" is no https URL`);
  if (proxy !== undefined && !hasScheme(proxy, ['http:', 'https:', 'socks5:', 'socks5h:'])) {
    problems.push(`the proxy-url "${proxy}" is neither http, https nor socks5`);
  }
  if (skipsVerification && authority !== undefined) {
    problems.push(`the cluster "${name}" has a certificate authority and is told not to verify it`);
  }
  return problems;
}

function hasScheme(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

function userProblems(name: string, user: UserEntry): string[] {
  const problems: string[] = [];
  const { certificate, key, token, username, password } = user;
  if (certificate !== undefined && key === undefined)
    problems.push(`the user "${name}" has a certificate without a key`);
  if (key !== undefined && certificate === undefined)
    problems.push(`the user "${name}" has a key without a certificate`);
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    problems.push(`the user "${name}" has both a token and a password`);
  }
  return problems;
}
