import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { mergedKubeconfig, type Kubeconfig } from '@flotilla/fleet';
import { isJsonObject, parseYaml, YamlError } from '@flotilla/kube';
import { UserFault } from './user-fault.ts';

/** Where the administrator's access goes; nowhere when nothing is kept and nobody asked. */
export function kubeconfigPath(asked: string | undefined, dataDirectory: string | undefined): string | undefined {
  if (asked !== undefined) return resolve(asked);
  return dataDirectory === undefined ? undefined : join(dataDirectory, 'kubeconfig');
}

/** Puts our entries into the file. What others have written there stays. */
export async function writeKubeconfig(file: string, access: Kubeconfig): Promise<void> {
  const merged = mergedKubeconfig(await existing(file), access);
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, `${JSON.stringify(merged, undefined, 2)}\n`, { mode: 0o600 });
  await rename(partial, file);
}

async function existing(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (text.trim() === '') return {};
  try {
    const { value } = parseYaml(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
  }
  throw new UserFault(`${file} exists and is no kubeconfig; name another file with --write-kubeconfig.`);
}
