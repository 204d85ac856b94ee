import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Command } from 'commander';
import { addCredentialFlags, serverOptionsIn } from './apiserver-flags.ts';
import { addAuditFlags } from './audit-flags.ts';
import { addAuthenticationFlags } from './authentication-flags.ts';

describe('flags of a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flags-'));
  after(() => rmSync(folder, { recursive: true }));

  function file(name: string, lines: readonly string[]): string {
    const path = join(folder, name);
    writeFileSync(path, lines.join('\n'));
    return path;
  }

  function options(...args: string[]): ReturnType<typeof serverOptionsIn> {
    const command = addAuditFlags(addAuthenticationFlags(addCredentialFlags(new Command('hub'))));
    return serverOptionsIn(command.parse(args, { from: 'user' }).opts());
  }

  const kind = ['apiVersion: apiserver.config.k8s.io/v1', 'kind: AuthenticationConfiguration'];

  test('refuse --anonymous-auth beside a file that has the field, whatever its value', async () => {
    const given = ['--authentication-config', file('anonymous.yaml', [...kind, 'anonymous: { enabled: true }'])];
    for (const value of ['true', 'false']) {
      await assert.rejects(
        options(...given, `--anonymous-auth=${value}`),
        /--anonymous-auth cannot be set: .* anonymous\.$/,
      );
    }
    assert.equal((await options(...given)).authentication?.configuration.anonymous?.enabled, true);
  });

  test('allow --anonymous-auth beside a file without the field', async () => {
    const given = ['--authentication-config', file('others.yaml', kind), '--anonymous-auth', 'false'];
    assert.equal((await options(...given)).allowsAnonymous, false);
  });

  test('refuse to truncate batches below the size of an event', async () => {
    const policy = file('policy.yaml', ['apiVersion: audit.k8s.io/v1', 'kind: Policy', 'rules: [{ level: None }]']);
    const given = [
      '--audit-policy-file',
      policy,
      '--audit-log-path',
      join(folder, 'log'),
      '--audit-log-truncate-enabled',
    ];
    assert.equal((await options(...given, 'true')).audit?.backends.length, 1);
    await assert.rejects(
      options(...given, 'true', '--audit-log-truncate-max-batch-size', '9'),
      /must not be less than/,
    );
    await assert.rejects(options(...given, 'true', '--audit-log-truncate-max-event-size', '0'), /positive/);
  });
});
