import { dns1123LabelProblems } from '@flotilla/kube';
import {
  KubeconfigError,
  type ClusterEntry,
  type ContextEntry,
  type Kubeconfig,
  type UserEntry,
} from './kubeconfig.ts';

export interface SelectedContext {
  readonly name: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  readonly namespace: string;
}

/** Returns the named or current context with its cluster and user. Throws one error with every problem. */
export function selectContext(kubeconfig: Kubeconfig, wanted: string | undefined): SelectedContext {
  const name = wanted ?? kubeconfig.currentContext;
  if (name === '') throw new KubeconfigError('the kubeconfig has no current-context; set one or choose a context');
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
  return [`"${namespace}" is not a valid namespace name`];
}

function clusterProblems(name: string, { server, proxy, skipsVerification, authority }: ClusterEntry): string[] {
  const problems: string[] = [];
  if (server === '') problems.push(`the cluster "${name}" has no server`);
  else if (!hasScheme(server, ['https:', 'http:'])) problems.push(`the server "${server}" is not an https or http URL`);
  if (proxy !== undefined && !hasScheme(proxy, ['http:', 'https:', 'socks5:', 'socks5h:'])) {
    problems.push(`the proxy-url "${proxy}" is neither http, https nor socks5`);
  }
  if (skipsVerification && authority !== undefined) {
    problems.push(`the cluster "${name}" has both a certificate authority and insecure-skip-tls-verify`);
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
