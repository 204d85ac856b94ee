import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditDecisions } from './audit-policy.ts';
import { readAuditPolicy } from './read-policy.ts';
import type { AuditedAccess, AuditedObject } from './rule-matches.ts';

function policy(rules: string, more = ''): string {
  return `apiVersion: audit.k8s.io/v1\nkind: Policy\n${more}\nrules: ${rules}`;
}

function access(object: Partial<AuditedObject> | string, verb = 'get'): AuditedAccess {
  const user = { name: 'ann', groups: ['dev'] };
  if (typeof object === 'string') return { user, verb, path: object, object: undefined };
  const whole = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'a', name: '', ...object };
  return { user, verb, path: '', object: whole };
}

describe('a rule of an audit policy', () => {
  const cases: readonly [rule: string, access: AuditedAccess, isMatch: boolean][] = [
    ['{}', access({}), true],
    ['{users: [ann]}', access({}), true],
    ['{users: [bob]}', access({}), false],
    ['{users: [ann]}', { ...access({}), user: undefined }, false],
    ['{userGroups: [ops, dev]}', access({}), true],
    ['{userGroups: [ops]}', access({}), false],
    ['{verbs: [list]}', access({}), false],
    ['{verbs: [get, list]}', access('/version'), true],
    ['{namespaces: [a]}', access({}), true],
    ['{namespaces: [""]}', access({}), false],
    ['{namespaces: [""]}', access({ namespace: '' }), true],
    ['{namespaces: [a]}', access('/version'), false],
    ['{resources: [{group: ""}]}', access({}), true],
    ['{resources: [{group: apps}]}', access({}), false],
    ['{resources: [{group: "*", resources: [pods]}]}', access({ group: 'apps' }), true],
    ['{resources: [{resources: [pods]}]}', access({ subresource: 'log' }), false],
    ['{resources: [{resources: [pods/log]}]}', access({ subresource: 'log' }), true],
    ['{resources: [{resources: [pods/*]}]}', access({ subresource: 'log' }), true],
    ['{resources: [{resources: [pods/*]}]}', access({}), true],
    ['{resources: [{resources: ["*/log"]}]}', access({ subresource: 'log' }), true],
    ['{resources: [{resources: ["*/log"]}]}', access({ subresource: 'exec' }), false],
    ['{resources: [{resources: ["*"]}]}', access({ subresource: 'exec' }), true],
    ['{resources: [{resources: [pods], resourceNames: [x]}]}', access({ name: 'x' }), true],
    ['{resources: [{resources: [pods], resourceNames: [x]}]}', access({ name: 'y' }), false],
    ['{nonResourceURLs: ["/healthz*"]}', access('/healthz/ping'), true],
    ['{nonResourceURLs: ["/healthz"]}', access('/healthz/ping'), false],
    ['{nonResourceURLs: ["*"]}', access('/version'), true],
    ['{nonResourceURLs: ["*"]}', access({}), false],
  ];
  for (const [rule, given, isMatch] of cases) {
    const asked = given.object ? `${given.verb} ${given.object.resource}/${given.object.subresource}` : given.path;
    test(`${rule} ${isMatch ? 'matches' : 'does not match'} ${asked} of ${given.user?.name}`, () => {
      const decide = auditDecisions(readAuditPolicy(policy(`[${rule.replace('{', '{level: Metadata, ')}]`)));
      assert.equal(decide(given).level, isMatch ? 'Metadata' : 'None');
    });
  }

  test('decides if no rule before it matches', () => {
    const decide = auditDecisions(readAuditPolicy(policy('[{level: Request, verbs: [list]}, {level: Metadata}]')));
    assert.deepEqual([decide(access({}, 'list')).level, decide(access({})).level], ['Request', 'Metadata']);
  });

  test('omits the stages of the policy too, and overrides its managedFields', () => {
    const rules = '[{level: Metadata, omitStages: [Panic], omitManagedFields: false}, {level: Metadata}]';
    const more = 'omitStages: [RequestReceived]\nomitManagedFields: true';
    const read = readAuditPolicy(policy(rules, more));
    const decision = auditDecisions(read)(access({}));
    assert.deepEqual([...decision.omitStages].toSorted(), ['Panic', 'RequestReceived']);
    assert.equal(decision.omitsManagedFields, false);
    assert.equal(auditDecisions({ ...read, rules: read.rules.slice(1) })(access({})).omitsManagedFields, true);
  });
});

describe('an audit policy is refused', () => {
  const refusals: readonly [content: string, message: RegExp][] = [
    ['', /^the file is empty$/],
    ['a: [', /^yaml: /],
    ['[]', /^the file contains no object$/],
    ['kind: Policy\napiVersion: audit.k8s.io/v1beta1', /^the file must have the kind Policy in audit.k8s.io\/v1$/],
    [policy('[]'), /^loaded illegal policy with 0 rules$/],
    [policy('[{}]'), /^rules\[0\].level: Required value$/],
    [policy('[{level: All}]'), /^rules\[0\].level: Unsupported value: "All": supported values: "None", "Metadata", /],
    [policy('[{level: None, user: [a]}]'), /^strict decoding error: unknown field "rules\[0\].user"$/],
    [policy('[{level: None, level: None}]'), /twice|already/],
    [policy('[{level: None, verbs: get}]'), /rules\[0\].verbs: Invalid value: "string": .* must be of type array/],
    [policy('[{level: None, omitStages: [End]}]'), /allowed stages are RequestReceived,ResponseStarted,/],
    [policy('[{level: None, nonResourceURLs: ["a*b"]}]'), /must begin with a '\/' character, .*must be the final/],
    [policy('[{level: None, nonResourceURLs: [/a], namespaces: [b]}]'), /both regular resources and non-resource URLs/],
    [policy('[{level: None, resources: [{resourceNames: [a]}]}]'), /requires at least one resource/],
    [
      policy('[{level: None, resources: [{group: apps/v1}]}]'),
      /^rules\[0\].resources.group: Invalid value: "apps\/v1"/,
    ],
  ];
  for (const [content, message] of refusals) {
    test(`with ${message.source}`, () => assert.throws(() => readAuditPolicy(content), { message }));
  }
});
