import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { addGuardOptions, guardSettingsIn, type GuardOptions } from '../guard-options.ts';
import { UserError } from '../user-error.ts';
import { policySettingsIn } from './policy-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'policies-'));
after(() => rmSync(folder, { recursive: true }));

function optionsIn(...flags: string[]): GuardOptions {
  return addGuardOptions(new Command()).parse(flags, { from: 'user' }).opts<GuardOptions>();
}

function file(text: string): string {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return path;
}

test('guards and policies are off, and disruption budgets accepted, without flags', async () => {
  assert.deepEqual(guardSettingsIn(optionsIn()), { allowsPodBudgets: true });
  assert.deepEqual(await policySettingsIn(optionsIn()), {});
});

test('the flags of the guard rail count together', () => {
  const flags = ['--enable-guard-rail=true', '--whitelisted-users=a, b,', '--deny-modify-member-cluster-labels'];
  assert.deepEqual(guardSettingsIn(optionsIn(...flags, '--enable-pdbs=false')), {
    guardRail: { whitelistedUsers: ['a', 'b'], deniesLabelChanges: true },
    allowsPodBudgets: false,
  });
});

test('the policy manager reads its file, and explains a wrong one', async () => {
  const on = ['--enable-admission-policy-manager', '--admission-policy-manager-config'];
  const path = file('denyPodsAndReplicaSetsOutsideReservedNamespaces:\n  ReservedNamespacePrefixes: [fleet-]\n');
  const { admissionPolicies } = await policySettingsIn(optionsIn(...on, path));
  assert.deepEqual(admissionPolicies, {
    pods: { reservedNamespacePrefixes: ['fleet-'] },
    serviceAccounts: undefined,
  });
  for (const [text, sentence] of [
    ['denyPods: {}', /config\.yaml: the file has the unknown key "denyPods"/],
    ['a: [', /config\.yaml: /],
  ] as const) {
    await assert.rejects(
      policySettingsIn(optionsIn(...on, file(text))),
      (error: unknown) => error instanceof UserError && sentence.test(error.message),
    );
  }
  await assert.rejects(policySettingsIn(optionsIn(...on, join(folder, 'absent'))), UserError);
});
