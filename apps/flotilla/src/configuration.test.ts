import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Command } from 'commander';
import { applyConfiguration } from './configuration.ts';
import { addLogLevel, addServerFlags } from './server-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-config-'));
after(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = join(folder, 'hub.yaml');
  writeFileSync(file, text);
  return file;
}

async function options(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const command = addLogLevel(addServerFlags(new Command('hub')))
    .option('--config <file>')
    .option('--plugin <file...>');
  new Command('flotilla').addCommand(command);
  command.parse(args, { from: 'user' });
  await applyConfiguration(command, environment);
  return command.opts();
}

describe('options of a command', () => {
  test('come from flags, then from the environment, then from the file', async () => {
    const file = fileWith('port: 1\nhost: file\nlog-level: info\nmemory: true\nplugin: [a.js, b.js]\n');
    const environment = { FLOTILLA_HUB_PORT: '2', FLOTILLA_HUB_HOST: 'environment', FLOTILLA_UP_LOG_LEVEL: 'error' };
    assert.deepEqual(await options(['--config', file, '--port', '3'], environment), {
      port: 3,
      host: 'environment',
      logLevel: 'info',
      memory: true,
      plugin: ['a.js', 'b.js'],
      config: file,
    });
  });

  const refused: readonly (readonly [string, string, NodeJS.ProcessEnv, RegExp])[] = [
    [
      'a variable out of range',
      '',
      { FLOTILLA_HUB_PORT: '70000' },
      /^FLOTILLA_HUB_PORT: "70000" is invalid\. It must be a number from 0/,
    ],
    [
      'a variable that is not a choice',
      '',
      { FLOTILLA_HUB_LOG_LEVEL: 'loud' },
      /^FLOTILLA_HUB_LOG_LEVEL: "loud" is invalid\. Allowed/,
    ],
    [
      'an unknown key',
      'prot: 1',
      {},
      /hub\.yaml: unknown key "prot"; keys are names of flags, which "flotilla hub --help" lists\.$/,
    ],
    [
      'a switch that is neither true nor false',
      'memory: yes please',
      {},
      /memory: "yes please" is invalid\. It must be true or false\.$/,
    ],
    ['a list for one value', 'host: [a, b]', {}, /host: "a,b" is invalid\. It must be one value\.$/],
    [
      'an object as value',
      'host: {a: b}',
      {},
      /hub\.yaml: host must be a text, a number, true or false, or a list of these\.$/,
    ],
    ['a file that is a list', '- port', {}, /must have names of flags as keys/],
    ['a file that is not YAML', 'port: [', {}, /hub\.yaml: /],
  ];
  for (const [what, text, environment, expected] of refused) {
    test(`refuse ${what}`, async () => {
      await assert.rejects(options(['--config', fileWith(text)], environment), (error: Error) => {
        assert.equal(error.name, 'UserError');
        assert.match(error.message, expected);
        return true;
      });
    });
  }
});
