import type { CredentialSet } from '@flotilla/apiserver';

/** A kubeconfig as data: one cluster, one user, one context, all of one name. */
export interface Kubeconfig {
  readonly name: string;
  readonly cluster: Readonly<Record<string, string | boolean>>;
  readonly user: Readonly<Record<string, string>>;
}

/** An administrator's access with certificate and key inside, so that the file can be moved. */
export function kubeconfigFor(name: string, url: string, { server, admin }: CredentialSet): Kubeconfig {
  return {
    name,
    cluster: { server: url, 'certificate-authority-data': base64(server.authority) },
    user: { 'client-certificate-data': base64(admin.certificate), 'client-key-data': base64(admin.key) },
  };
}

interface TokenAccess {
  readonly name: string;
  readonly url: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

/** The same with a token. */
export function kubeconfigWithToken({ name, url, authority, token }: TokenAccess): Kubeconfig {
  return { name, cluster: { server: url, 'certificate-authority-data': base64(authority) }, user: { token } };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The file for kubectl. JSON is YAML. */
export function kubeconfigText(kubeconfig: Kubeconfig): string {
  return `${JSON.stringify(mergedKubeconfig({}, kubeconfig), undefined, 2)}\n`;
}

interface Named {
  readonly name?: unknown;
  readonly [field: string]: unknown;
}

/** Adds or replaces our entries in a kubeconfig. Others stay as they are. */
export function mergedKubeconfig(
  existing: Record<string, unknown>,
  { name, cluster, user }: Kubeconfig,
): Record<string, unknown> {
  const put = (list: unknown, entry: Named): Named[] => [
    ...(Array.isArray(list) ? (list as Named[]).filter((other) => other?.name !== entry.name) : []),
    entry,
  ];
  return {
    ...existing,
    apiVersion: 'v1',
    kind: 'Config',
    clusters: put(existing['clusters'], { name, cluster }),
    users: put(existing['users'], { name, user }),
    contexts: put(existing['contexts'], { name, context: { cluster: name, user: name } }),
    'current-context': existing['current-context'] || name,
  };
}
