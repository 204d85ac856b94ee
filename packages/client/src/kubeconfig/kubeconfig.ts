import type { JsonValue } from '@flotilla/kube';
import type { Impersonation } from '../client.ts';

/** What kubeconfig files say, merged, with paths made absolute. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
}

export interface ContextEntry {
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
}

export interface ClusterEntry {
  readonly server: string;
  readonly serverName?: string;
  readonly skipsVerification: boolean;
  readonly authority?: Secret;
  readonly proxy?: string;
  readonly disablesCompression: boolean;
  /** What an exec plugin is told beside where the cluster is. */
  readonly execConfig?: JsonValue;
}

export interface UserEntry {
  readonly certificate?: Secret;
  readonly key?: Secret;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: Impersonation;
  readonly exec?: ExecEntry;
}

/** PEM that stands in the configuration, or in a file of its own, which may be replaced at any time. */
export type Secret = { readonly text: string } | { readonly file: string };

export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly providesClusterInfo: boolean;
  readonly installHint: string;
}

/** A configuration that cannot be used. The message names the file and what to mend in it. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
