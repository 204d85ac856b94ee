import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fleetSchema, shapeOfMembers } from '@flotilla/fleet/file';
import { stringifyJson } from '@flotilla/kube';
import { Command } from 'commander';
import { addCredentialFlags } from '../apiserver-flags.ts';
import { addAuditFlags } from '../audit-flags.ts';
import { addAuthenticationFlags, authenticationFlagsIn } from '../authentication-flags.ts';
import { addFeatureOptions } from '../feature-options.ts';
import { addMembershipOptions } from '../membership-options.ts';
import { addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';
import { addSelectionOptions } from '../selection-options.ts';
import { addStageOptions } from '../stage-options.ts';
import { flagsWithFile } from './hub-flags.ts';

const { hub } = shapeOfMembers(3);

/** Commander's values of `flotilla up`, and which of them were typed. */
function parsed(...args: string[]): { readonly flags: ServerFlags; readonly isTyped: (name: string) => boolean } {
  const added = addAuditFlags(addAuthenticationFlags(addServerFlags(new Command('up'))));
  const command = addLogLevel(added).parse(args, { from: 'user' });
  return { flags: command.opts(), isTyped: (name) => command.getOptionValueSource(name) === 'cli' };
}

describe('the hub of a fleet file', () => {
  test('has every flag of a hub with its own server, with the same defaults', () => {
    const command = addLogLevel(
      addSelectionOptions(
        addStageOptions(
          addFeatureOptions(
            addMembershipOptions(addAuthenticationFlags(addCredentialFlags(addServerFlags(new Command('hub'))))),
          ),
        ),
      ),
    );
    // It applies to one start, and not to a fleet.
    const options = command.options.filter((option) => option.attributeName() !== 'new');
    const fields = fleetSchema.json.properties?.['hub']?.properties ?? {};
    const different = options.filter((option) => {
      const field = fields[option.attributeName()];
      const typed = option.defaultValueDescription ?? String(option.defaultValue ?? '');
      // A flag without a value is absent, or true.
      const inFile = field?.default === false && typed === '' ? '' : stringifyJson(field?.default ?? '');
      return field === undefined || inFile.replaceAll('"', '') !== typed;
    });
    assert.deepEqual(
      different.map((option) => option.long),
      [],
    );
  });

  test('gives way to flags that the user typed', () => {
    const file = { ...hub, port: 7000, host: '0.0.0.0', logLevel: 'debug' as const, dataDir: '/fleet' };
    const none = parsed();
    const { port, host, logLevel, dataDir } = flagsWithFile(none.flags, none.isTyped, file);
    assert.deepEqual([port, host, logLevel, dataDir], [7000, '0.0.0.0', 'debug', '/fleet']);
    const some = parsed('--port', '6443', '--data-dir', 'own');
    const result = flagsWithFile(some.flags, some.isTyped, file);
    assert.deepEqual([result.port, result.host, result.dataDir], [6443, '0.0.0.0', 'own']);
  });

  test('says what to record, unless the user typed it', () => {
    const file = { ...hub, auditPolicyFile: '/policy.yaml', auditLogPath: '/audit.log' };
    const { flags, isTyped } = parsed('--audit-log-path', 'own.log');
    const { auditPolicyFile, auditLogPath, auditLogMaxsize } = flagsWithFile(flags, isTyped, file);
    assert.deepEqual([auditPolicyFile, auditLogPath, auditLogMaxsize], ['/policy.yaml', 'own.log', 100]);
  });

  test('says where users log in, and gives way to what the user typed of it', () => {
    const issuer = { oidcIssuerUrl: 'https://a', oidcClientId: 'fleet', oidcRequiredClaim: ['a=b'] };
    const cases: readonly [file: object, typed: string[], expected: object][] = [
      [issuer, [], issuer],
      [issuer, ['--oidc-client-id', 'own'], { ...issuer, oidcClientId: 'own' }],
      [issuer, ['--authentication-config', 'own.yaml'], { authenticationConfig: 'own.yaml' }],
      [{ authenticationConfig: '/a.yaml' }, [], { authenticationConfig: '/a.yaml' }],
      [{ authenticationConfig: '/a.yaml' }, ['--oidc-issuer-url', 'https://b'], { oidcIssuerUrl: 'https://b' }],
    ];
    for (const [file, args, expected] of cases) {
      const { flags, isTyped } = parsed(...args);
      assert.deepEqual(authenticationFlagsIn(flagsWithFile(flags, isTyped, { ...hub, ...file })), expected);
    }
  });

  test('gives way to a typed place to store, also if it is another kind of place', () => {
    const memory = parsed('--memory');
    const inMemory = flagsWithFile(memory.flags, memory.isTyped, { ...hub, dataDir: '/fleet' });
    assert.deepEqual([inMemory.memory, inMemory.dataDir], [true, undefined]);
    const directory = parsed('--data-dir', 'own');
    const onDisk = flagsWithFile(directory.flags, directory.isTyped, { ...hub, memory: true });
    assert.deepEqual([onDisk.memory, onDisk.dataDir], [undefined, 'own']);
  });
});
