import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { webhookSettingsIn, type WebhookOptions } from './webhook-options.ts';

describe('the options of webhooks', () => {
  const good: [WebhookOptions, unknown][] = [
    [{}, undefined],
    [{ webhookUrl: 'https://hub.example.com/' }, { address: { url: 'https://hub.example.com' }, bindAddress: ':9443' }],
    [
      { webhookUrl: 'https://10.0.0.1:9443/hooks', webhookBindAddress: '10.0.0.1:9443' },
      { address: { url: 'https://10.0.0.1:9443/hooks' }, bindAddress: '10.0.0.1:9443' },
    ],
    [
      { webhookService: 'fleet-system/hub' },
      { address: { service: { namespace: 'fleet-system', name: 'hub', port: 443 } }, bindAddress: ':9443' },
    ],
    [
      { webhookService: 'a/b:8443' },
      { address: { service: { namespace: 'a', name: 'b', port: 8443 } }, bindAddress: ':9443' },
    ],
    [{ enableWebhook: 'false', webhookServiceName: 'hooks' }, undefined],
    [
      { enableWebhook: 'true' },
      { address: { url: 'https://fleetwebhook.fleet-system.svc.cluster.local:9443' }, bindAddress: ':9443' },
    ],
    [
      { enableWebhook: 'true', webhookClientConnectionType: 'service', webhookServiceName: 'hooks' },
      { address: { service: { namespace: 'fleet-system', name: 'hooks', port: 9443 } }, bindAddress: ':9443' },
    ],
  ];
  for (const [options, settings] of good) {
    test(`${JSON.stringify(options)} are accepted`, () =>
      assert.deepEqual(webhookSettingsIn(options, 'fleet-system'), settings));
  }

  const bad: WebhookOptions[] = [
    { webhookUrl: 'http://hub.example.com' },
    { webhookUrl: 'hub' },
    { webhookUrl: 'https://user:secret@hub' },
    { webhookUrl: 'https://hub/?a=b' },
    { webhookService: 'hub' },
    { webhookService: 'a/b:0' },
    { webhookService: 'a/b', webhookUrl: 'https://hub' },
    { webhookBindAddress: ':9443' },
    { enableWebhook: 'true' },
    { webhookServiceName: 'hooks' },
    { enableWebhook: 'false', webhookUrl: 'https://hub' },
  ];
  for (const options of bad) {
    test(`${JSON.stringify(options)} are refused`, () => {
      assert.throws(() => webhookSettingsIn(options), { name: 'UserError' });
    });
  }
});
