import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

test('the status of a policy lists the expressions that do not fit the types', async () => {
  const server = await startTestServer({ housekeeping: true });
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const validations = [{ expression: 'object.data.x == 1' }, { expression: "object.data.x == 'y'" }];
  const body = { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules }, validations } };
  await server.request('POST', policies, { body });
  await server.settle();
  const { body: policy } = await server.request('GET', `${policies}/p`);
  const source = ' | object.data.x == 1\n | ..............^\n';
  const problem = "found no matching overload for '_==_' applied to '(string, int)'";
  const warning = `/v1, Kind=ConfigMap: ERROR: <input>:1:15: ${problem}\n${source}`;
  assert.deepEqual(policy['status'], {
    observedGeneration: 1,
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning }] },
  });
});
