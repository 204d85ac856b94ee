import { readFile, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { mergedKubeconfig, type Kubeconfig } from '@flotilla/fleet/server';
import { isJsonObject, parseYaml, YamlError } from '@flotilla/kube';
import { kubeconfigIn } from './own-kubeconfig.ts';
import { replaceFile } from './replace-file.ts';
import { UserError } from './user-error.ts';
import { homeDirectory } from './home-directory.ts';

/** Names of the entries that a server and a hub write. A fleet file can name the hub's, which is then the current one. */
const ownNames: readonly unknown[] = ['flotilla', 'hub'];

export interface KubeconfigFile {
  readonly path: string;
  /** In the data directory: no other program writes it. */
  readonly isOwn: boolean;
  /** Put before the name of each entry, because the file has entries of other fleets. */
  readonly prefix?: string;
}

/**
 * The files to write the administrator's access to: in the data directory, where other commands find it, and the file of
 * `--write-kubeconfig`. The last one is the one to show the user.
 */
export function kubeconfigPaths(requested: string | undefined, dataDirectory: string | undefined): KubeconfigFile[] {
  const own = dataDirectory === undefined ? [] : [{ path: kubeconfigIn(dataDirectory), isOwn: true }];
  return requested === undefined ? own : [...own, { path: resolve(requested), isOwn: false }];
}

/** The file that kubectl writes to, for a fleet of this name. */
export function mergedFile(fleet: string, environment: NodeJS.ProcessEnv): Required<KubeconfigFile> {
  const [named] = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return { path: resolve(named ?? join(homeDirectory(), '.kube/config')), isOwn: false, prefix: `${fleet}-` };
}

export async function writeKubeconfigs(
  files: readonly KubeconfigFile[],
  accesses: readonly Kubeconfig[],
): Promise<void> {
  for (const file of files) await writeKubeconfig(file, accesses);
}

/** Adds or replaces our entries. Entries of other clusters stay. */
async function writeKubeconfig(
  { path: file, isOwn, prefix = '' }: KubeconfigFile,
  accesses: readonly Kubeconfig[],
): Promise<void> {
  const entries = accesses.map((access) => ({ ...access, name: `${prefix}${access.name}` }));
  const merged = entries.reduce(mergedKubeconfig, isOwn ? {} : await readConfig(file));
  const text = `${JSON.stringify(merged, undefined, 2)}\n`;
  try {
    // A start on a full disk must not fail for a file that is already right.
    if (!isOwn || (await readFile(file, 'utf8').catch(() => '')) !== text) await replaceFile(file, text);
  } catch (error) {
    if (isOwn && (error as NodeJS.ErrnoException).code === 'ENOSPC') {
      process.stderr.write(
        `flotilla: the disk is full, ${file} is outdated; write the kubeconfig elsewhere with --write-kubeconfig.\n`,
      );
      return;
    }
    throw new UserError(`cannot write the kubeconfig: ${(error as Error).message}.`, { cause: error });
  }
}

/** An administrator's access to a server, PEM. */
export interface ServerAccess {
  readonly url: string;
  readonly authority: Buffer;
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/** Reads our entries. Undefined if the file has none. */
export async function readAccess(file: string): Promise<ServerAccess | undefined> {
  const config = await readConfig(file);
  const names = [...ownNames, config['current-context']];
  const cluster = entryOf(config['clusters'], 'cluster', names);
  const user = entryOf(config['users'], 'user', names);
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

function entryOf(list: unknown, field: 'cluster' | 'user', names: readonly unknown[]): Partial<Record<string, string>> {
  const entries = Array.isArray(list) ? (list as Partial<Record<string, unknown>>[]) : [];
  const own = entries.find((entry) => names.includes(entry?.['name']));
  return own?.[field] ?? {};
}

async function readConfig(file: string): Promise<Record<string, unknown>> {
  const found = await stat(file).catch(() => undefined);
  // Reading a pipe or a terminal would block.
  if (found && !found.isFile() && !found.isDirectory()) return {};
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new UserError(`cannot read the kubeconfig: ${error.message}.`, { cause: error });
  });
  if (text.trim() === '') return {};
  try {
    const { value } = parseYaml(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
  }
  throw new UserError(
    `${file} exists and is not a kubeconfig; move it away, or name another file with --write-kubeconfig.`,
  );
}
