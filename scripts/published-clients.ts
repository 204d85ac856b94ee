/** Published clients, each installed by its own package manager at a pinned version: `npm run clients -- helm client-node python`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
    env: (folder) => ({ GOBIN: folder, CGO_ENABLED: '0', GOWORK: 'off' }),
  },
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
