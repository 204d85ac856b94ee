import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { apiVersionOf, clusterRoles, deployments, namespaces, roles, secrets, serviceAccounts } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { agentManifests } from '../hub/agent-manifests.ts';
import type { Cluster } from './connect-clusters.ts';
import { copyToken, storeToken, tokenSecretIn } from './token-secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-token-'));
after(() => rmSync(folder, { recursive: true }));

const options = { member: 'sea', image: 'agent:1', hub: { server: 'https://hub:6443' }, token: 'first' };
const manifests = agentManifests(options);

interface RunsContainers {
  readonly spec: { readonly template: { readonly spec: { readonly containers: { readonly args: string[] }[] } } };
}

function argsOf(objects: readonly JsonObject[]): string[] {
  const found = objects.find(({ kind }) => kind === 'Deployment') as RunsContainers | undefined;
  return found?.spec.template.spec.containers[0]?.args ?? [];
}

describe('the manifests of an agent', () => {
  test('are accepted by a server, and let the agent replace its token and no other Secret', async (context) => {
    const server = await startTestServer();
    context.after(() => server.stop());
    const kinds = [namespaces, serviceAccounts, clusterRoles, roles, secrets, deployments];
    for (const manifest of manifests) {
      const kind = kinds.find((one) => one.kind === manifest['kind']);
      if (kind) await server.create(kind, manifest);
    }
    const flag = argsOf(manifests).find((arg) => arg.startsWith('--hub-token-secret='));
    const hubTokenSecret = flag?.slice(flag.indexOf('=') + 1) ?? '';
    const file = join(folder, 'token');
    const cluster = { tokenFile: file } as Cluster;
    const secret = tokenSecretIn({ hubTokenSecret, useCaAuth: 'false', tlsInsecure: 'false' }, cluster);
    assert.ok(secret);
    const signal = AbortSignal.timeout(10_000);
    await copyToken(server.client, secret, signal);
    assert.equal(readFileSync(file, 'utf8'), 'first');
    await storeToken(server.client, secret, 'second');
    assert.equal(readFileSync(file, 'utf8'), 'second');
    rmSync(file);
    await copyToken(server.client, secret, signal);
    assert.equal(readFileSync(file, 'utf8'), 'second');
    const rule = manifests.find(({ kind }) => kind === 'Role')?.['rules'] as readonly JsonObject[];
    assert.deepEqual(
      [rule[0]?.['resourceNames'], rule[0]?.['verbs'], rule.length],
      [[secret.name], ['get', 'patch'], 1],
    );
  });

  test('name every kind that a server knows by its version', () => {
    const known = [namespaces, serviceAccounts, clusterRoles, roles, secrets, deployments];
    for (const kind of known) {
      const found = manifests.find((one) => one['kind'] === kind.kind);
      assert.equal(found?.['apiVersion'], apiVersionOf(kind));
    }
  });
});

describe('--hub-token-secret', () => {
  const flags = { useCaAuth: 'false', tlsInsecure: 'false' } as const;
  const cluster = (tokenFile?: string): Cluster => ({ ...(tokenFile !== undefined && { tokenFile }) }) as Cluster;
  test('must be a namespace and a name, with a kubeconfig that reads a token file', () => {
    for (const hubTokenSecret of ['a', 'a/', '/b', 'a/b/c']) {
      assert.throws(() => tokenSecretIn({ ...flags, hubTokenSecret }, cluster('/t')), /must be NAMESPACE\/NAME, not /);
    }
    assert.throws(() => tokenSecretIn({ ...flags, hubTokenSecret: 'a/b' }, cluster()), /names a token file\.$/);
    assert.equal(tokenSecretIn(flags, cluster()), undefined);
  });
});
