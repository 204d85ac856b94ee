/**
 * Published clients, each installed by its own package manager at a pinned version: `npm run clients -- helm client-node python`.
 * Some have a module of ours in test/clients/modules, which pins everything they are built from.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { kubectlVersionFlags } from './kubectl-version-flags.ts';

const modulesFolder = resolve(import.meta.dirname, '../test/clients/modules');
const goEnvironment = { CGO_ENABLED: '0', GOWORK: 'off' };

interface PublishedClient {
  readonly needs: string;
  /** Commands that install it in the folder, in this order. */
  readonly install: (folder: string) => readonly (readonly [command: string, ...args: string[]])[];
  readonly env?: (folder: string) => NodeJS.ProcessEnv;
}

const clients: Readonly<Record<string, PublishedClient>> = {
  helm: {
    needs: 'Go 1.26 and its module proxy',
    install: () => [['go', 'install', '-ldflags', '-s -w', 'helm.sh/helm/v4/cmd/helm@v4.2.4']],
    env: (folder) => ({ ...goEnvironment, GOBIN: folder }),
  },
  'kubectl-1.35': kubectlOf('kubectl-1.35'),
  'kubectl-1.37': kubectlOf('kubectl-1.37'),
  k9s: builtFrom('k9s', 'github.com/derailed/k9s'),
  'argo-cd': builtFrom('argo-cd', '.'),
  'client-node': {
    needs: 'npm and its registry',
    install: (folder) => [
      [
        'npm',
        'install',
        '--no-save',
        '--no-package-lock',
        '--ignore-scripts',
        '--prefix',
        join(folder, 'client-node'),
        '@kubernetes/client-node@2.0.1',
      ],
    ],
  },
  python: {
    needs: 'Python 3.10 with venv, and PyPI',
    install: (folder) => [
      ['python3', '-m', 'venv', join(folder, 'python')],
      [join(folder, 'python/bin/pip'), 'install', '--quiet', 'kubernetes==37.0.2'],
    ],
  },
};

/** The main package of a module, or of one that it requires. The first build takes many minutes. */
function builtFrom(name: string, mainPackage: string): PublishedClient {
  return {
    needs: 'Go 1.26 and its module proxy',
    install: (folder) => [
      ['go', '-C', join(modulesFolder, name), 'build', '-ldflags', '-s -w', '-o', join(folder, name), mainPackage],
    ],
    env: () => goEnvironment,
  };
}

/** Our kubectl, built from the k8s.io/kubectl that another module pins. */
function kubectlOf(name: string): PublishedClient {
  const moduleFile = join(modulesFolder, name, 'go.mod');
  const source = ['-C', join(modulesFolder, '../go')];
  return {
    needs: 'Go 1.26 and its module proxy',
    install: (folder) => {
      const flags = ['-modfile', moduleFile, '-ldflags', kubectlVersionFlags(moduleFile), '-o', join(folder, name)];
      return [['go', ...source, 'build', ...flags, './cmd/kubectl']];
    },
    env: () => goEnvironment,
  };
}

export function installPublished(name: string, folder: string): void {
  const client = clients[name];
  if (!client) {
    console.error(`unknown client ${name}; choose from ${Object.keys(clients).join(', ')}`);
    process.exit(1);
  }
  console.log(`installing ${name} ...`);
  const env = { ...process.env, ...client.env?.(folder) };
  for (const [command, ...args] of client.install(folder)) {
    const { status, error } = spawnSync(command, args, { stdio: 'inherit', env });
    if (status === 0) continue;
    console.error(`${command} failed (${error?.message ?? status}). ${name} needs ${client.needs}.`);
    process.exit(1);
  }
  console.log(`installed ${name} into .clients`);
}
