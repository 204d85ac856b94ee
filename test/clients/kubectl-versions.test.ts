/** The versions of kubectl that Kubernetes supports for a server of v1.36: one minor version older, the same, and one newer. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { availability } from '@flotilla/testkit';
import { launcher, Scratch, startCommand } from '../flotilla-process.ts';
import { playCommands, shownCommands, type ShownCommand } from '../shown-commands.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const clients = [
  {
    version: '1.35',
    file: 'kubectl-1.35',
    ...availability('kubectl-1.35', missingClient('kubectl-1.35', 'kubectl-1.35')),
  },
  { version: '1.36', file: 'kubectl', ...availability('kubectl', missingClient('kubectl')) },
  {
    version: '1.37',
    file: 'kubectl-1.37',
    ...availability('kubectl-1.37', missingClient('kubectl-1.37', 'kubectl-1.37')),
  },
];

for (const { version, file, skip } of clients) {
  describe(`kubectl ${version} on a fleet`, { timeout: 180_000, skip }, () => {
    let scratch: Scratch;
    let fleet: Awaited<ReturnType<typeof startCommand>>;
    before(async () => {
      scratch = new Scratch();
      symlinkSync(join(clientsFolder, file), scratch.file('kubectl'));
      symlinkSync(launcher, scratch.file('kubectl-fleet'));
      const flags = ['--memory', '--port', '0', '--write-kubeconfig', scratch.file('kubeconfig')];
      fleet = await startCommand(['up', ...flags], 'Ready');
    });
    after(async () => {
      const { code, stderr } = await fleet.stop();
      scratch[Symbol.dispose]();
      assert.deepEqual([code, stderr], [0, '']);
    });

    /** What a command prints on standard output. Standard error must be empty, so that no warning is missed. */
    async function kubectl(command: string): Promise<string> {
      const path = [scratch.path, process.env['PATH']].join(':');
      const env = { HOME: scratch.path, KUBECONFIG: scratch.file('kubeconfig'), PATH: path };
      const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', `kubectl ${command}`], { env, cwd: root });
      assert.equal(stderr, '', command);
      return stdout.trimEnd();
    }

    test('is that version, and the server is within its skew', async () => {
      const printed = await kubectl('version');
      assert.ok(printed.includes(`Client Version: v${version}.`), printed);
      assert.match(printed, /^Server Version: v1\.36\./m);
    });

    test('takes the tour of the README, and prints the same', () =>
      playCommands(kubectlTour(), kubectl, (command) => /^(?:get|fleet runs)\b/.test(command)));

    test('explains, applies, compares, waits for and deletes placements on the hub', async () => {
      const example = '-f examples/pick-all';
      assert.match(await kubectl('explain crp.spec.policy.placementType'), /^FIELD: placementType <string>/m);
      assert.match(await kubectl(`apply ${example}`), /^clusterresourceplacement\S+\/everywhere created$/m);
      assert.equal(await kubectl(`diff ${example}`), '');
      const changed = `sed 's/blue/green/' examples/pick-all/placement.yaml | kubectl diff -f -`;
      await assert.rejects(kubectl(`version --client >/dev/null; ${changed}`), {
        code: 1,
        stdout: /^-  color: blue\n\+  color: green$/m,
      });
      await kubectl('wait crp/everywhere --for=condition=ClusterResourcePlacementAvailable --timeout=60s');
      assert.match(await kubectl('get memberclusters -o wide'), /^member-2 +True /m);
      assert.match(await kubectl('describe crp everywhere'), /^ +Type: +ClusterResourcePlacementAvailable$/m);
      assert.match(await kubectl('delete crp everywhere'), /"everywhere" deleted/);
      await kubectl('wait namespace/everywhere --for=delete --timeout=60s --context member-1');
    });

    test('follows a rollout on a member, prints its pods and their log, and deletes it', async () => {
      const onMember = (command: string): Promise<string> => kubectl(`--context member-1 ${command}`);
      await onMember('create deployment web --image=nginx:1.27 --replicas=2');
      assert.match(await onMember('rollout status deployment/web --timeout=60s'), /successfully rolled out$/);
      assert.match(await onMember('get pods -l app=web -o wide'), /^web-\S+ +1\/1 +Running .* node-1 /m);
      assert.match(await onMember('logs -l app=web --tail=1'), /^this pod is simulated by Flotilla/);
      assert.match(await onMember('delete deployment web --wait'), /deployment\.apps "web" deleted/);
    });
  });
}

/** The commands of the tour that kubectl has, in its words. */
function kubectlTour(): ShownCommand[] {
  return shownCommands(readFileSync(join(root, 'README.md'), 'utf8'), '$ ')
    .filter(({ command }) => !/^flotilla (?:why|tree)\b/.test(command))
    .map(({ command, lines }) => ({ command: inKubectl(command), lines }));
}

function inKubectl(command: string): string {
  return command
    .replace(/^flotilla apply/, 'apply --server-side')
    .replace(/^flotilla /, '')
    .replace(/^kubectl-fleet/, 'fleet');
}
