import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { secrets, silentLogger, type JsonObject, type KubeObject, type Secret } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { checkSettingsOf } from '../admission/fleet-checks.ts';
import { mutatingConfigurations, validatingConfigurations } from './configuration-kinds.ts';
import { uninstallWebhooks } from './install-webhooks.ts';
import { startWebhooks, type RunningWebhooks } from './start-webhooks.ts';
import { certificateSecret, type WebhookCertificate } from './webhook-certificates.ts';

const dayMs = 24 * 3_600_000;
const name = 'flotilla-hub';

describe('the webhooks of a hub on another Kubernetes', () => {
  let server: TestServer;
  let webhooks: RunningWebhooks;
  /** What each of two replicas serves with. */
  const served: WebhookCertificate[] = [];

  function start(url: string, replica: number): Promise<RunningWebhooks> {
    return startWebhooks({
      client: server.client,
      clock: server.clock,
      logger: silentLogger,
      checks: checkSettingsOf({}),
      address: { url },
      listen: (certificate) => {
        served[replica] = certificate;
        const setCertificate = (next: WebhookCertificate): void => void (served[replica] = next);
        return Promise.resolve({ setCertificate, close: () => Promise.resolve() });
      },
    });
  }

  async function configurations(): Promise<KubeObject[]> {
    return Promise.all([
      server.client.get(validatingConfigurations, { name }),
      server.client.get(mutatingConfigurations, { name }),
    ]);
  }

  function bundlesIn(objects: readonly KubeObject[]): Set<string> {
    const hooks = objects.flatMap((object) => object['webhooks'] as { clientConfig: JsonObject }[]);
    return new Set(
      hooks.map(({ clientConfig }) => Buffer.from(clientConfig['caBundle'] as string, 'base64').toString()),
    );
  }

  before(async () => {
    server = await startTestServer();
    webhooks = await start('https://hub.example.com:9443', 0);
  });
  after(async () => {
    await webhooks.stop();
    await server.stop();
  });

  test('are installed with the authority of the certificate that is served', async () => {
    const [certificate] = served;
    const served0 = new X509Certificate(certificate?.certificate ?? '');
    assert.equal(served0.checkHost('hub.example.com'), 'hub.example.com');
    assert.ok(served0.verify(new X509Certificate(certificate?.authority ?? '').publicKey));
    assert.deepEqual(bundlesIn(await configurations()), new Set([certificate?.authority]));
  });

  test('are shared by replicas, and a start that changes nothing writes nothing', async () => {
    const before = await configurations();
    const second = await start('https://hub.example.com:9443', 1);
    assert.deepEqual(await configurations(), before);
    assert.deepEqual(served[1], served[0]);
    await second.stop();
  });

  /** Keys are made in other threads, which no clock controls. */
  async function untilRotated(before: WebhookCertificate | undefined): Promise<void> {
    await server.clock.advance(60_000);
    for (let turn = 0; turn < 100_000 && served[0] === before; turn++) await server.turns.next();
  }

  test('get a new certificate before the old one ends, and the API server trusts both', async () => {
    const [first] = served;
    await server.clock.skip(200 * dayMs);
    const second = await start('https://hub.example.com:9443', 1);
    assert.deepEqual(served[1], first);
    await second.stop();
    await server.clock.skip(60 * dayMs);
    await untilRotated(first);
    const renewed = new X509Certificate(served[0]?.certificate ?? '');
    assert.ok(renewed.validToDate.getTime() > server.clock.now() + 300 * dayMs);
    assert.equal(served[0]?.authority, first?.authority);
    assert.deepEqual(bundlesIn(await configurations()), new Set([first?.authority]));
  });

  test('get a new authority if the Secret was emptied', async () => {
    const [before] = served;
    const secret: Secret = await server.client.get(secrets, certificateSecret);
    await server.client.update(secrets, { ...secret, data: { 'ca.crt': 'eA==' } });
    await webhooks.stop();
    webhooks = await start('https://hub.example.com:9443', 0);
    assert.notEqual(served[0]?.authority, before?.authority);
    assert.deepEqual(bundlesIn(await configurations()), new Set([served[0]?.authority]));
  });

  test('are all that uninstalling removes', async () => {
    assert.deepEqual(await uninstallWebhooks(server.client), [
      'ValidatingWebhookConfiguration flotilla-hub',
      'MutatingWebhookConfiguration flotilla-hub',
      'Secret fleet-system/flotilla-webhook-certificates',
    ]);
    assert.deepEqual(await uninstallWebhooks(server.client), []);
  });
});
