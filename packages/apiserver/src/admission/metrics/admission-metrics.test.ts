import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { HeavyThread } from '../../heavy/heavy-thread.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

type Spec = Record<string, unknown>;

const named = (name: string): Spec => ({
  matchConditions: [{ name: 'c', expression: `object.metadata.name == "${name}"` }],
});
const validating = (expression: string): Spec => ({ validations: [{ expression }] });
const applying = (expression: string): Spec => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const setLabel = (value: string): Spec => applying(`Object{metadata: Object.metadata{labels: {"a": ${value}}}}`);

/** Policies of kube-apiserver when the metrics below were recorded. Bindings are named like them. */
const policies: readonly (readonly [
  'validating' | 'mutating',
  name: string,
  spec: Spec,
  actions?: readonly string[],
])[] = [
  ['validating', 'ok', validating('true')],
  [
    'validating',
    'deny',
    { validations: [...Array<Spec>(2)].map(() => ({ expression: 'object.metadata.name != "denied"' })) },
  ],
  ['validating', 'warn', validating('object.metadata.name != "warned"'), ['Warn', 'Audit']],
  ['validating', 'err', validating('object.data.x == "" || object.metadata.name != "err"')],
  ['validating', 'erropen', { failurePolicy: 'Ignore', ...validating('object.data.y == ""') }],
  ['validating', 'cond', { ...named('cond'), ...validating('true') }],
  [
    'validating',
    'conderr',
    {
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'c', expression: 'object.data.z == ""' }],
      ...validating('true'),
    },
  ],
  ['mutating', 'm', { mutations: [setLabel('"b"'), setLabel('"c"')] }],
  ['mutating', 'merr', { failurePolicy: 'Ignore', mutations: [setLabel('object.data.q')] }],
  ['mutating', 'mcond', { ...named('mcond'), mutations: [setLabel('object.data.q')] }],
];

async function install(server: TestServer): Promise<void> {
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ];
  for (const [kind, name, spec, validationActions = ['Deny']] of policies) {
    const reinvoked = kind === 'mutating' && { reinvocationPolicy: 'IfNeeded' };
    const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules }, ...reinvoked, ...spec } };
    const bound = { policyName: name, ...(kind === 'validating' && { validationActions }) };
    for (const [path, body] of [
      [`${registration}/${kind}admissionpolicies`, policy],
      [`${registration}/${kind}admissionpolicybindings`, { metadata: { name }, spec: bound }],
    ] as const) {
      const { status, text } = await server.request('POST', path, { body: body as JsonObject });
      assert.equal(status, 201, text);
    }
  }
}

/** Nine creates, of which three are refused, and an update. */
async function write(server: TestServer): Promise<void> {
  for (const name of ['plain', 'denied', 'warned', 'err', 'cond', 'one', 'two', 'mcond', 'three']) {
    await server.request('POST', configMaps, { body: { metadata: { name } } });
  }
  await server.request('PUT', `${configMaps}/plain`, { body: { metadata: { name: 'plain' }, data: { a: 'b' } } });
}

/** The counts of the metrics with this prefix, without durations. */
async function counts(server: TestServer, prefix: string): Promise<Map<string, number>> {
  const { text } = await server.request('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(prefix) && !/_(bucket|sum)\{/.test(line));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** As kube-apiserver v1.36.4 counts them for the same requests. */
const recorded: readonly (readonly [string, number])[] = [
  [
    'apiserver_validating_admission_policy_check_total{enforcement_action="allow",error_type="invalid_error",policy="erropen",policy_binding="erropen"}',
    9,
  ],
  [
    'apiserver_validating_admission_policy_check_total{enforcement_action="audit",error_type="invalid_error",policy="warn",policy_binding="warn"}',
    1,
  ],
  [
    'apiserver_validating_admission_policy_check_total{enforcement_action="deny",error_type="invalid_error",policy="deny",policy_binding="deny"}',
    2,
  ],
  [
    'apiserver_validating_admission_policy_check_total{enforcement_action="deny",error_type="invalid_error",policy="err",policy_binding="err"}',
    1,
  ],
  [
    'apiserver_validating_admission_policy_check_total{enforcement_action="warn",error_type="invalid_error",policy="warn",policy_binding="warn"}',
    1,
  ],
  [
    'apiserver_mutating_admission_policy_check_total{error_type="invalid_error",policy="mcond",policy_binding="mcond"}',
    1,
  ],
  [
    'apiserver_mutating_admission_policy_check_total{error_type="invalid_error",policy="merr",policy_binding="merr"}',
    19,
  ],
  ['apiserver_mutating_admission_policy_check_total{error_type="no_error",policy="m",policy_binding="m"}', 38],
  [
    'apiserver_admission_match_condition_evaluation_errors_total{kind="policy",name="conderr",operation="CREATE",type="validate"}',
    8,
  ],
  [
    'apiserver_admission_match_condition_evaluation_errors_total{kind="policy",name="conderr",operation="UPDATE",type="validate"}',
    1,
  ],
  [
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="cond",operation="CREATE",type="validate"}',
    7,
  ],
  [
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="cond",operation="UPDATE",type="validate"}',
    1,
  ],
  [
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="conderr",operation="CREATE",type="validate"}',
    8,
  ],
  [
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="conderr",operation="UPDATE",type="validate"}',
    1,
  ],
  [
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="mcond",operation="CREATE",type="validate"}',
    16,
  ],
  [
    'apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="mcond",operation="UPDATE",type="validate"}',
    2,
  ],
];

describe('metrics of admission', () => {
  const worker = new HeavyThread({ heavyBytes: -1 });
  after(() => worker.stop());

  for (const [where, heavyThread] of [
    ['this thread', undefined],
    ['the worker', worker],
  ] as const) {
    test(`count policies and conditions like kube-apiserver, in ${where}`, async () => {
      const server = await startTestServer({ ...(heavyThread && { heavyThread }) });
      await install(server);
      await write(server);
      const counted = new Map([
        ...(await counts(server, 'apiserver_validating_admission_policy_check_total')),
        ...(await counts(server, 'apiserver_mutating_admission_policy_check_total')),
        ...(await counts(server, 'apiserver_admission_match_condition_evaluation')),
      ]);
      assert.deepEqual(counted, new Map(recorded));
    });

    test(`count every run of a plugin, and both runs of a reinvocation as one step, in ${where}`, async () => {
      const server = await startTestServer({ ...(heavyThread && { heavyThread }) });
      await install(server);
      const before = await counts(server, 'apiserver_admission_');
      await write(server);
      const now = await counts(server, 'apiserver_admission_');
      const added = (metric: string, labels: string): number => {
        const key = `apiserver_admission_${metric}_admission_duration_seconds_count{${labels}}`;
        return (now.get(key) ?? 0) - (before.get(key) ?? 0);
      };
      const plugin = (name: string, operation: string, rejected: boolean, type: string): number =>
        added('controller', `name="${name}",operation="${operation}",rejected="${rejected}",type="${type}"`);
      const step = (operation: string, rejected: boolean, type: string): number =>
        added('step', `operation="${operation}",rejected="${rejected}",type="${type}"`);
      assert.deepEqual(
        {
          admitted: step('CREATE', false, 'admit'),
          refused: step('CREATE', true, 'admit'),
          updated: step('UPDATE', false, 'admit'),
          limits: plugin('LimitRanger', 'CREATE', false, 'admit'),
          policies: plugin('MutatingAdmissionPolicy', 'CREATE', false, 'admit'),
          refusedByPolicies: plugin('MutatingAdmissionPolicy', 'CREATE', true, 'admit'),
          valid: plugin('ValidatingAdmissionPolicy', 'CREATE', false, 'validate'),
          invalid: plugin('ValidatingAdmissionPolicy', 'CREATE', true, 'validate'),
          validated: step('CREATE', false, 'validate'),
          invalidated: step('CREATE', true, 'validate'),
          quotas: plugin('ResourceQuota', 'CREATE', false, 'validate'),
        },
        {
          admitted: 8,
          refused: 1,
          updated: 1,
          limits: 17,
          policies: 16,
          refusedByPolicies: 1,
          valid: 6,
          invalid: 2,
          validated: 6,
          invalidated: 2,
          quotas: 6,
        },
      );
    });
  }

  test('name the plugins and operations of kube-apiserver', async () => {
    const server = await startTestServer();
    await write(server);
    await server.request('DELETE', `${configMaps}/plain`);
    const seen = [...(await counts(server, 'apiserver_admission_controller')).keys()].flatMap((line) => {
      const [, name = '', operation = '', type = ''] =
        /name="(\w+)",operation="(\w+)",rejected="false",type="(\w+)"/.exec(line) ?? [];
      return operation === 'DELETE' ? [`${name} ${type}`] : [];
    });
    assert.deepEqual(seen.sort(), [
      'MutatingAdmissionWebhook admit',
      'NamespaceLifecycle admit',
      'Priority admit',
      'Priority validate',
      'ValidatingAdmissionPolicy validate',
      'ValidatingAdmissionWebhook validate',
    ]);
  });
});
