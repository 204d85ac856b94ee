import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { mergedKubeconfig, type Kubeconfig } from '@flotilla/fleet/server';
import { isJsonObject, parseYaml, YamlError } from '@flotilla/kube';
import { replaceFile } from './replace-file.ts';
import { UserFault } from './user-error.ts';

/** What the entry of a server or a hub is called. */
const ownNames: readonly unknown[] = ['flotilla', 'hub'];

export interface KubeconfigFile {
  readonly path: string;
  /** In the data directory: nobody else writes there. */
  readonly isOwn: boolean;
}

/**
 * Where the administrator's access goes: into the data directory, where our other commands find it, and where it was asked
 * for. The last one is the one to tell people about.
 */
export function kubeconfigPaths(asked: string | undefined, dataDirectory: string | undefined): KubeconfigFile[] {
  const kept = dataDirectory === undefined ? [] : [{ path: kubeconfigIn(dataDirectory), isOwn: true }];
  return asked === undefined ? kept : [...kept, { path: resolve(asked), isOwn: false }];
}

export function kubeconfigIn(dataDirectory: string): string {
  return join(dataDirectory, 'kubeconfig');
}

export async function writeKubeconfigs(
  files: readonly KubeconfigFile[],
  accesses: readonly Kubeconfig[],
): Promise<void> {
  for (const file of files) await writeKubeconfig(file, accesses);
}

/** Puts our entries into the file. What others have written there stays. */
async function writeKubeconfig({ path: file, isOwn }: KubeconfigFile, accesses: readonly Kubeconfig[]): Promise<void> {
  const merged = accesses.reduce(mergedKubeconfig, isOwn ? {} : await existing(file));
  const text = `${JSON.stringify(merged, undefined, 2)}\n`;
  try {
    // A start on a full disk has nothing to write, if all is where it was.
    if (!isOwn || (await readFile(file, 'utf8').catch(() => '')) !== text) await replaceFile(file, text);
  } catch (error) {
    if (isOwn && (error as NodeJS.ErrnoException).code === 'ENOSPC') {
      process.stderr.write(
        `flotilla: the disk is full, and ${file} is not up to date; --write-kubeconfig names another.\n`,
      );
      return;
    }
    throw new UserFault(`cannot write the kubeconfig: ${(error as Error).message}.`, { cause: error });
  }
}

/** How to connect as administrator, as a kubeconfig of ours says; undefined if there is none. PEM. */
export interface ServerAccess {
  readonly url: string;
  readonly authority: Buffer;
  readonly certificate: Buffer;
  readonly key: Buffer;
}

export async function readAccess(file: string): Promise<ServerAccess | undefined> {
  const config = await existing(file);
  const cluster = entryOf(config['clusters'], 'cluster');
  const user = entryOf(config['users'], 'user');
  const url = cluster['server'];
  if (url === undefined) return undefined;
  const pem = (text = ''): Buffer => Buffer.from(text, 'base64');
  return {
    url,
    authority: pem(cluster['certificate-authority-data']),
    certificate: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  };
}

function entryOf(list: unknown, field: 'cluster' | 'user'): Partial<Record<string, string>> {
  const entries = Array.isArray(list) ? (list as Partial<Record<string, unknown>>[]) : [];
  const own = entries.find((entry) => ownNames.includes(entry?.['name']));
  return own?.[field] ?? {};
}

async function existing(file: string): Promise<Record<string, unknown>> {
  const found = await stat(file).catch(() => undefined);
  // A pipe would be waited for, and a terminal read from.
  if (found && !found.isFile() && !found.isDirectory()) return {};
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new UserFault(`cannot read the kubeconfig: ${error.message}.`, { cause: error });
  });
  if (text.trim() === '') return {};
  try {
    const { value } = parseYaml(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
  }
  throw new UserFault(
    `${file} exists and is no kubeconfig; move it away, or name another file with --write-kubeconfig.`,
  );
}
