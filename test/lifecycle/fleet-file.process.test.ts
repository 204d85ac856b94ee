import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { memberClusters } from '@flotilla/api';
import { connect } from '@flotilla/client';
import { parseFleetFile } from '@flotilla/fleet/file';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

const file = `
hub: { context: centre, dataDir: data, port: 0 }
members: [{ name: oslo, labels: { env: prod } }, { name: rome, join: waits }]
`;

/** Names and labels of the fleet's members, through the kubeconfig that it wrote. */
async function members(scratch: Scratch): Promise<(string | undefined)[][]> {
  const kubeconfig = scratch.file('data/kubeconfig');
  const hub = await connect({ kubeconfig, context: 'centre', environment: {} });
  const { items } = await hub.list(memberClusters).finally(() => hub.close());
  return items.map(({ metadata }) => [metadata.name, metadata.labels?.['env']]);
}

describe('flotilla up -f', { timeout: 60_000 }, () => {
  test('starts the fleet of a file, and the same fleet again without it', async () => {
    using scratch = new Scratch();
    writeFileSync(scratch.file('fleet.yaml'), file);
    // Relative files start at the directory of the fleet file.
    const first = await startCommand(['up', '-f', scratch.file('fleet.yaml')], 'Ctrl-C stops it.');
    assert.deepEqual(await members(scratch), [['oslo', 'prod']]);
    const { stdout } = await first.stop();
    assert.match(stdout, /^1 member has joined\.\n1 member waits for its MemberCluster\.$/m);
    // The machine may have no kubectl.
    assert.match(
      stdout,
      /^ {2}(?:kubectl --context centre get memberclusters|.* get memberclusters --context centre)$/m,
    );
    const second = await startCommand(['up', '--data-dir', scratch.file('data')], 'Ctrl-C stops it.');
    assert.deepEqual(await members(scratch), [['oslo', 'prod']]);
    await second.stop();
    const { contexts } = JSON.parse(readFileSync(scratch.file('data/kubeconfig'), 'utf8')) as {
      readonly contexts: readonly { readonly name: string }[];
    };
    assert.deepEqual(
      contexts.map(({ name }) => name),
      ['centre', 'oslo', 'rome'],
    );
    const { code, stderr } = await runFlotilla(['up', '--members', '3', '--data-dir', scratch.file('data')]);
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: the data directory has a fleet from a file/);
  });

  test('prints the file with all fields, which means the same fleet', async () => {
    using scratch = new Scratch();
    writeFileSync(scratch.file('fleet.yaml'), file);
    const options = { name: 'fleet.yaml', resolveFile: (path: string) => scratch.file(path) };
    const wanted = parseFleetFile(file, options);
    for (const format of ['yaml', 'json']) {
      const { code, stdout } = await runFlotilla([
        'up',
        '-f',
        scratch.file('fleet.yaml'),
        '--print-file',
        '-o',
        format,
      ]);
      assert.equal(code, 0);
      assert.deepEqual(parseFleetFile(stdout, { name: 'printed' }), wanted);
    }
    const { stdout } = await runFlotilla(['up', '--print-file']);
    assert.deepEqual(parseFleetFile(stdout, { name: 'printed' }).file, {});
  });

  test('reports what is wrong with a file, and starts nothing', async () => {
    using scratch = new Scratch();
    const invalid = scratch.file('fleet.yaml');
    writeFileSync(invalid, 'hub: { prot: 1 }\nmembers: [{ name: Oslo }]\n');
    const { code, stderr } = await runFlotilla(['up', '-f', invalid], { cwd: scratch.path });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^flotilla: .*fleet\.yaml:1: hub\.prot: unknown field; did you mean port\?\n.*fleet\.yaml:2: /,
    );
    for (const [args, reason] of [
      [['-f', 'missing.yaml'], /^flotilla: cannot read missing\.yaml: ENOENT/],
      [['-f', invalid, '--members', '2'], /^flotilla: -f and --members exclude each other/],
      [['-o', 'yaml'], /^flotilla: -o yaml only applies with --print-file/],
      [['-f', '/dev/zero'], /^flotilla: \/dev\/zero: the file is larger than 1024 KiB/],
    ] as const) {
      const refused = await runFlotilla(['up', ...args], { cwd: scratch.path });
      assert.match(refused.stderr, reason);
      assert.doesNotMatch(refused.stderr, /^ +at /m);
    }
  });
});
