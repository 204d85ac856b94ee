import type { JsonValue } from '@flotilla/kube';
import type { Impersonation } from '../client.ts';

/** The content of kubeconfig files, merged, with absolute paths. */
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
  /** Passed to an exec plugin with the cluster's address. */
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

/** PEM in the kubeconfig, or in a file that may be replaced at any time. */
export type Secret = { readonly text: string } | { readonly file: string };

export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly providesClusterInfo: boolean;
  readonly installHint: string;
}

/** A configuration that cannot be used. The message names the file and the problem. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}
