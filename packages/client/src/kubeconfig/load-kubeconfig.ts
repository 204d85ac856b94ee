import { readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { KubeconfigError, type Kubeconfig } from './kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';

/** Like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads what kubectl would read. A given file must exist. Otherwise reads the files of KUBECONFIG, or
 * ~/.kube/config, as far as they exist. Returns undefined if there is no file.
 */
export async function loadKubeconfig(
  file: string | undefined,
  environment: Environment,
): Promise<Kubeconfig | undefined> {
  if (file !== undefined) {
    const read = await readKubeconfig(resolve(file));
    if (read === undefined) throw new KubeconfigError(`${resolve(file)} does not exist`);
    return read;
  }
  const found = await Promise.all(usualFiles(environment).map(readKubeconfig));
  const kubeconfigs = found.filter((kubeconfig) => kubeconfig !== undefined);
  return kubeconfigs.length === 0 ? undefined : merged(kubeconfigs);
}

function usualFiles({ KUBECONFIG, HOME, USERPROFILE }: Environment): string[] {
  if (KUBECONFIG)
    return KUBECONFIG.split(delimiter)
      .filter((file) => file !== '')
      .map((file) => resolve(file));
  const home = HOME || USERPROFILE;
  return home ? [join(home, '.kube', 'config')] : [];
}

async function readKubeconfig(file: string): Promise<Kubeconfig | undefined> {
  try {
    return parseKubeconfig(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof KubeconfigError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new KubeconfigError(`${file} cannot be read: ${message}`, { cause: error });
  }
}

/** The first file that defines an entry wins. */
function merged(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
    currentContext: kubeconfigs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    contexts: firstOfEach(kubeconfigs.map(({ contexts }) => contexts)),
    clusters: firstOfEach(kubeconfigs.map(({ clusters }) => clusters)),
    users: firstOfEach(kubeconfigs.map(({ users }) => users)),
  };
}

function firstOfEach<Entry>(maps: readonly ReadonlyMap<string, Entry>[]): ReadonlyMap<string, Entry> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
