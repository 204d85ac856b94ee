/** Commands that ask and that handle objects, as users start them: in a process of their own, over the network. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { launcher, runFlotilla, Scratch } from '../flotilla-process.ts';
import { policyDecided } from './policy-decided.ts';

const manifests = `
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Namespace, metadata: { name: web } }
  - apiVersion: placement.kubernetes-fleet.io/v1
    kind: ClusterResourcePlacement
    metadata: { name: web }
    spec:
      resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
      policy: { placementType: PickFixed, clusterNames: [member-1, nowhere] }
`;

describe('flotilla', { timeout: 60_000 }, () => {
  const scratch = new Scratch();
  const env = { ...process.env, KUBECONFIG: scratch.file('kubeconfig'), XDG_STATE_HOME: scratch.file('state') };
  let fleet: RunningFleet;
  before(async () => {
    fleet = await startFleet({ members: 1 });
    writeFileSync(scratch.file('kubeconfig'), fleet.kubeconfig);
    writeFileSync(scratch.file('web.yaml'), manifests);
  });
  after(async () => {
    await fleet.stop();
    scratch[Symbol.dispose]();
  });
  const run = (...args: string[]): ReturnType<typeof runFlotilla> => runFlotilla(args, { env });

  test('applies a list, and says why a cluster is not there', async () => {
    const applied = await run('apply', '-f', scratch.file('web.yaml'));
    assert.deepEqual(applied, {
      code: 0,
      stdout:
        'namespace/web serverside-applied\n' +
        'clusterresourceplacement.placement.kubernetes-fleet.io/web serverside-applied\n',
      stderr: '',
    });
    await policyDecided(fleet);
    const { code, stdout, stderr } = await run('why', 'web', 'nowhere', '--context', 'hub');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^nowhere is not chosen\.\n {2}PickFixed: there is no such MemberCluster\n {2}→ join a cluster/m,
    );
  });

  test('prints its help without words, as kubectl does, and takes flags of a command before its name', async () => {
    const help = await run();
    assert.deepEqual([help.code, help.stderr], [0, '']);
    assert.match(help.stdout, /^Usage: flotilla /);
    const { stdout } = await run('--context', 'hub', '-n', 'web', 'get', 'cm', '-o', 'name');
    assert.equal(stdout, 'configmap/kube-root-ca.crt\n');
  });

  test('prints what it finds and exits with 1 if something is missing', async () => {
    const { code, stdout, stderr } = await run('get', 'ns/web', 'ns/never', '-o', 'name');
    assert.deepEqual([code, stdout], [1, 'namespace/web\n']);
    assert.equal(stderr, 'flotilla: namespaces "never" not found.\n');
  });

  test('prints its own version also without a server', async () => {
    const missing = scratch.file('missing');
    const { code, stdout, stderr } = await run('version', '--kubeconfig', missing);
    assert.deepEqual(
      { code, stdout: stdout.replace(/\d+\.\d+\.\d+/, 'N') },
      { code: 1, stdout: 'Client: flotilla N\n' },
    );
    assert.match(stderr, / does not exist/);
  });

  test('watches until the reader of its output is gone', async () => {
    const child = spawn(launcher, ['get', 'ns', '-A', '-w'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [lines] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    assert.match(lines, /^NAME +STATUS +AGE\n/);
    child.stdout.destroy();
    // The next line finds no reader.
    assert.equal((await run('delete', 'ns', 'web', '--no-wait')).stdout, 'namespace "web" deleted\n');
    assert.deepEqual(await exited, [0, null]);
  });

  // What zsh offers is seen by the function that takes it; fish has a command that asks.
  const shells: Readonly<Record<string, string>> = {
    bash: `source <("${launcher}" completion bash); COMP_WORDS=("${launcher}" why w); COMP_CWORD=2; _flotilla; echo "\${COMPREPLY[@]}"`,
    zsh: `compdef() { :; }; compadd() { print -r -- \${(P)2}; }; source <("${launcher}" completion zsh); words=("${launcher}" why w); CURRENT=3; _flotilla`,
    fish: `function flotilla; end; "${launcher}" completion fish | string replace 'command $words[1]' 'command "${launcher}"' | source; complete -C 'flotilla why w'`,
  };
  for (const [shell, script] of Object.entries(shells)) {
    const skip = spawnSync(shell, ['-c', 'true']).status === 0 ? false : `this machine has no ${shell}`;
    test(`completes names of the server in ${shell}`, { skip }, async () => {
      const options = shell === 'bash' ? [] : shell === 'zsh' ? ['-f'] : ['--no-config'];
      const child = spawn(shell, [...options, '-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      assert.equal((await child.stdout.setEncoding('utf8').toArray()).join(''), 'web\n');
    });
  }
});
