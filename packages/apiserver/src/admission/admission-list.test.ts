import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';
import { forbidden, type Admission } from './admission.ts';
import { admissionPlugins } from './default-admission.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('plugins run in the order of kube-apiserver', () => {
  assert.deepEqual(
    admissionPlugins().plugins.map(({ name }) => name),
    [
      'TerminatingDefinitions',
      'NamespaceLifecycle',
      'LimitRanger',
      'ServiceAccount',
      'TaintNodesByCondition',
      'PodSecurity',
      'Priority',
      'DefaultTolerationSeconds',
      'DefaultStorageClass',
      'StorageObjectInUseProtection',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'PodTopologyLabels',
      'NodeDeclaredFeatureValidator',
      'PodResizeValidator',
      'MutatingAdmissionPolicy',
      'MutatingAdmissionWebhook',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionWebhook',
      'ResourceQuota',
    ],
  );
});

test('a plugin can be disabled by name', () => {
  const names = admissionPlugins(['ServiceAccount', 'Priority']).plugins.map(({ name }) => name);
  assert.ok(!names.includes('ServiceAccount') && !names.includes('Priority') && names.includes('LimitRanger'));
});

test('an embedding program adds plugins, which may change, refuse, and wait', async () => {
  const operations: string[] = [];
  const first: Admission = {
    name: 'First',
    admit: async ({ object }) => {
      await Promise.resolve();
      if (object) object.metadata.labels = { seen: 'yes' };
    },
    validate: ({ operation }) => {
      operations.push(operation);
    },
  };
  const second: Admission = {
    name: 'Second',
    admit(attributes) {
      if (attributes.object?.metadata.labels?.['seen'] !== 'yes') return;
      if (attributes.object.metadata.name === 'bad') throw forbidden(attributes, 'not this one');
    },
  };
  const server = await startTestServer({ admission: [first, second] });
  const { body } = await server.request('POST', configMaps, { body: { metadata: { name: 'good' } } });
  assert.deepEqual((body['metadata'] as { labels?: unknown }).labels, { seen: 'yes' });
  const refused = await server.request('POST', configMaps, { body: { metadata: { name: 'bad' } } });
  assert.equal(refused.body['message'], 'configmaps "bad" is forbidden: not this one');
  assert.equal(operations.at(-1), 'CREATE');
});
