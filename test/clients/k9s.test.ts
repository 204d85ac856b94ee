/** k9s in a terminal: what it shows of a fleet, and what it asks the hub for. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { availability } from '@flotilla/testkit';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';
import { Screen } from './screen.ts';

const { skip } = availability('k9s', missingClient('k9s', 'k9s') ?? missingTmux());
const example = join(import.meta.dirname, '../../examples/pick-all/placement.yaml');
const placement = '/apis/placement.kubernetes-fleet.io/v1/clusterresourceplacements/everywhere';
const policy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

describe('k9s', { timeout: 180_000, skip }, () => {
  let scratch: Scratch;
  let fleet: Awaited<ReturnType<typeof startCommand>>;
  let k9s: Screen;
  before(async () => {
    scratch = new Scratch();
    writeFileSync(scratch.file('policy'), JSON.stringify(policy));
    const audit = ['--audit-policy-file', scratch.file('policy'), '--audit-log-path', scratch.file('audit')];
    const kubeconfig = ['--write-kubeconfig', scratch.file('kubeconfig')];
    fleet = await startCommand(['up', '--memory', '--port', '0', ...kubeconfig, ...audit], 'Ready');
    const applied = await runFlotilla(['apply', '-f', example, '--kubeconfig', scratch.file('kubeconfig')]);
    assert.equal(applied.code, 0, applied.stderr);
    const files = { HOME: scratch.path, KUBECONFIG: scratch.file('kubeconfig'), K9S_CONFIG_DIR: scratch.path };
    const program = [join(clientsFolder, 'k9s'), '--splashless', '--logoless', '--refresh', '1', '--command', 'crp'];
    k9s = new Screen(scratch.file('tmux'), program, {
      PATH: process.env['PATH'],
      TERM: 'xterm-256color',
      ...files,
    });
  });
  after(async () => {
    await k9s[Symbol.asyncDispose]();
    await fleet.stop();
    scratch[Symbol.dispose]();
  });

  test('lists placements by their short name, with the columns of their kind', async () => {
    const screen = await k9s.until(/everywhere +1 +True/);
    assert.match(screen, /NAME.* GEN +SCHEDULED +SCHEDULED-GEN/);
  });

  test('prints one as YAML, and describes it', async () => {
    await k9s.type('y');
    await k9s.until(/placementType: PickAll/);
    await k9s.type('Escape');
    await k9s.until(/everywhere +1 +True/);
    await k9s.type('d');
    await k9s.until(/Placement Type: +PickAll/);
    await k9s.type('Escape');
    await k9s.until(/everywhere +1 +True/);
  });

  test('lists the members', async () => {
    await k9s.type(':');
    await k9s.type('memberclusters', 'Enter');
    await k9s.until(/member-3 +True/);
    await k9s.type(':');
    await k9s.type('crp', 'Enter');
    await k9s.until(/everywhere +1 +True/);
  });

  test('deletes one after a confirmation', async () => {
    await k9s.type('C-d');
    await k9s.until(/<Delete>[\s\S]*everywhere/);
    await k9s.type('Tab', 'Enter');
    await k9s.until(/ClusterResourcePlacements?[^\n]*\[0\]/i);
  });

  test('is refused only what kube-apiserver refuses, too', () => {
    const lines = readFileSync(scratch.file('audit'), 'utf8').trim().split('\n');
    const events = lines
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ userAgent }) => /k9s/.test(userAgent ?? ''));
    const asked = new Set(events.map(({ verb, requestURI }) => `${verb} ${requestURI.replace(/\?.*/, '')}`));
    for (const request of [
      'get /apis',
      'create /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      `delete ${placement}`,
    ]) {
      assert.ok(asked.has(request), request);
    }
    const refused = events.filter(({ responseStatus: { code } }) => code >= 400).map(({ requestURI }) => requestURI);
    // It looks for cluster-scoped kinds in the namespace of the context first.
    const inNamespace = /\/namespaces\/default\/(?:clusterresourceplacements|memberclusters)\?/;
    assert.deepEqual(
      refused.filter((uri) => !inNamespace.test(uri)),
      [],
    );
  });
});

interface AuditEvent {
  readonly userAgent?: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly responseStatus: { readonly code: number };
}

function missingTmux(): string | undefined {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'its test needs tmux';
  }
}
