import { collectionPath, configMap } from './config-map.ts';
import { crate, cratesPath } from './crate.ts';

/** The kinds of the generator: a built-in kind, and a custom resource that `define` installs. */
export type LoadedKind = 'ConfigMap' | 'Crate';

export interface KindLoad {
  readonly path: string;
  readonly body: (name: string, serial: number, resourceVersion?: string) => Buffer;
}

export const kindLoads: Readonly<Record<LoadedKind, KindLoad>> = {
  ConfigMap: { path: collectionPath, body: configMap },
  Crate: { path: cratesPath(0), body: crate },
};
