import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '@flotilla/kube';
import { boundPolicies } from './policy-objects.ts';
import { defaultPolicySettings, parsePolicySettings, PolicySettingsError } from './policy-settings.ts';

const podKey = 'denyPodsAndReplicaSetsOutsideReservedNamespaces';
const accountKey = 'denyServiceAccountsAndTokenRequestsInReservedNamespaces';

function expressionsOf(value: JsonValue): string[] {
  return boundPolicies(parsePolicySettings(value)).map(
    ({ policy }) => ((policy['spec'] as JsonObject)['validations'] as JsonObject[])[0]?.['expression'] as string,
  );
}

describe('the policies of a hub', () => {
  const reserved = '(request.namespace.startsWith("fleet-")) || (request.namespace.startsWith("kube-"))';
  const requesters = `(request.userInfo.username == "system:kube-scheduler") || (request.userInfo.username == "system:kube-controller-manager") || ("system:nodes" in request.userInfo.groups) || ("system:masters" in request.userInfo.groups) || ("kubeadm:cluster-admins" in request.userInfo.groups) || ("system:serviceaccounts" in request.userInfo.groups)`;

  test("have the names and expressions of KubeFleet's", () => {
    const found = boundPolicies(defaultPolicySettings).map(({ policy, binding }) => [
      policy.metadata.name,
      binding.metadata.name,
      ((policy['spec'] as JsonObject)['validations'] as JsonObject[])[0]?.['expression'],
    ]);
    const [pods, accounts] = [
      'deny-pods-and-replicasets-outside-reserved-namespaces',
      'deny-serviceaccounts-and-tokenrequests-in-reserved-namespaces',
    ];
    assert.deepEqual(found, [
      [pods, `${pods}-binding`, reserved],
      [accounts, `${accounts}-binding`, `(!(${reserved})) || (${requesters})`],
    ]);
  });

  test('follow the file, with keys in any case', () => {
    const prefixes = ['fleet-'];
    assert.deepEqual(expressionsOf(null), []);
    assert.deepEqual(expressionsOf({ [podKey]: null }), []);
    assert.deepEqual(expressionsOf({ [podKey]: { ReservedNamespacePrefixes: prefixes } }), [
      '(request.namespace.startsWith("fleet-"))',
    ]);
    const users = { whitelistedUsernames: ['olga'], WHITELISTEDUSERGROUPS: ['crew'] };
    assert.deepEqual(expressionsOf({ [accountKey]: { reservedNamespacePrefixes: prefixes, ...users } }), [
      `(!((request.namespace.startsWith("fleet-")))) || (${requesters} || (request.userInfo.username == "olga") || ("crew" in request.userInfo.groups))`,
    ]);
  });

  const faults: [string, JsonValue, RegExp][] = [
    ['is a list', [], /^the file must be an object$/],
    ['has another policy', { denyAll: {} }, /^the file has the unknown key "denyAll"; known are deny/],
    ['has no prefix', { [podKey]: {} }, /: at least one prefix must be specified$/],
    ['has a prefix with a quote', { [podKey]: { reservedNamespacePrefixes: ['a"b'] } }, /contains illegal characters/],
    ['has a number as prefix', { [podKey]: { reservedNamespacePrefixes: [1] } }, /^reservedNamespacePrefixes must be/],
    [
      'has a user that would end the text',
      { [accountKey]: { reservedNamespacePrefixes: ['a'], whitelistedUsernames: ['" || true || "'] } },
      /^whitelistedUsernames: .* contains quotes/,
    ],
  ];
  for (const [what, value, sentence] of faults) {
    test(`are refused if the file ${what}`, () => {
      assert.throws(
        () => parsePolicySettings(value),
        (error: unknown) => error instanceof PolicySettingsError && sentence.test(error.message),
      );
    });
  }
});
