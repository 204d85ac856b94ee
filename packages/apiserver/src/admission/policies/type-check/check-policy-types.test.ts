import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { builtinCatalog } from '../../../resources/builtin-resources.ts';
import { Registry } from '../../../resources/registry.ts';
import { checkPolicyTypes } from './check-policy-types.ts';

const registry = new Registry(builtinCatalog());

/** The first line of the warning about one expression, for Deployments unless `rule` says otherwise. */
function warningOf(expression: string, spec: JsonObject = {}, rule: JsonObject = {}): string | undefined {
  const resourceRules = [{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], ...rule }];
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules }, validations: [{ expression }], ...spec },
  };
  return checkPolicyTypes(policy, registry)[0]?.warning.split('\n')[0];
}

const containers = 'object.spec.template.spec.containers';

/** Recorded from kube-controller-manager v1.36.4. */
const rows: readonly (readonly [expression: string, warning: string | undefined])[] = [
  ['object.spec.replicas > 1', undefined],
  ['object.spec.relicas > 1', "1:12: undefined field 'relicas'"],
  ["object.spec.replicas > '1'", "1:22: found no matching overload for '_>_' applied to '(int, string)'"],
  ["object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')", undefined],
  ["object.metadata.labels['a'] == 'b' && object.metadata.managedFields.size() > 0", undefined],
  [`${containers}.all(c, c.ports[0].containerPort > 1 && c.livenessProbe.httpGet.port == 80)`, undefined],
  [`${containers}.all(c, c.resources.limits['memory'] == '1')`, "1:56: undefined field 'limits'"],
  [
    "authorizer.requestResource.check('get').allowed()",
    "1:11: unexpected failed resolution of 'kubernetes.authorization.Authorizer'",
  ],
  ["request.userInfo.username == 'x' && namespaceObject.metadata.name == 'y'", undefined],
];

describe('type checks of a policy', () => {
  for (const [expression, warning] of rows) {
    test(`\`${expression}\` ${warning === undefined ? 'fits the types' : 'is warned of'}`, () => {
      assert.equal(warningOf(expression), warning && `apps/v1, Kind=Deployment: ERROR: <input>:${warning}`);
    });
  }

  test('know the types of parameters and variables', () => {
    const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
    assert.match(warningOf('params.dat.x == params.data.x', params) ?? '', /undefined field 'dat'/);
    const variables = { variables: [{ name: 'count', expression: 'object.spec.replicas' }] };
    assert.match(warningOf("variables.count == 'a'", variables) ?? '', /applied to '\(int, string\)'/);
  });

  test('cover every kind that the rules name, and none if a rule has a wildcard', () => {
    const both = { resources: ['deployments', 'replicasets', 'deployments/scale'] };
    assert.equal(warningOf('object.spec.paused', {}, both)?.split(':')[0], 'apps/v1, Kind=ReplicaSet');
    assert.equal(warningOf('object.nothing', {}, { apiGroups: ['*'] }), undefined);
  });
});
