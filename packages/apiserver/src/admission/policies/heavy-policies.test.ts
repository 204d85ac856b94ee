import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { HeavyThread } from '../../heavy/heavy-thread.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('policies in the thread for heavy requests', () => {
  const everything = new HeavyThread({ heavyBytes: -1 });
  after(() => everything.stop());

  test('refuse, change and read parameters as in the main thread', async () => {
    const server = await startTestServer({ heavyThread: everything });
    const post = (path: string, body: JsonObject) => server.request('POST', path, { body });
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
    const mutable = [{ ...resourceRules[0], operations: ['CREATE', 'UPDATE'] }];
    const metadata = { name: 'p' };
    await post(configMaps, { metadata: { name: 'limits' }, data: { max: '3' } });
    const made = [
      await post(`${registration}/validatingadmissionpolicies`, {
        metadata,
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: { resourceRules },
          validations: [{ expression: 'object.data.size() <= int(params.data.max)', message: 'too many' }],
        },
      }),
      await post(`${registration}/validatingadmissionpolicybindings`, {
        metadata,
        spec: {
          policyName: 'p',
          paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' },
          validationActions: ['Deny'],
        },
      }),
      await post(`${registration}/mutatingadmissionpolicies`, {
        metadata,
        spec: {
          matchConstraints: { resourceRules: mutable },
          mutations: [
            { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "Object{data: {'added': 'yes'}}" } },
          ],
          reinvocationPolicy: 'Never',
        },
      }),
      await post(`${registration}/mutatingadmissionpolicybindings`, { metadata, spec: { policyName: 'p' } }),
    ];
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201, 201],
    );
    const admitted = await post(configMaps, { metadata: { name: 'a' }, data: { x: '', y: '' } });
    assert.deepEqual(admitted.body['data'], { added: 'yes', x: '', y: '' });
    const refused = await post(configMaps, { metadata: { name: 'b' }, data: { x: '', y: '', z: '' } });
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /denied request: too many/);
  });
});
