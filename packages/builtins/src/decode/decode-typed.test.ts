import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseUnboundedJson, stringifyJson, type JsonObject, type JsonValue } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import { typeOfKind } from '../table/type-table.ts';
import type { StructType } from '../table/struct-type.ts';
import { decodeTyped, emptyObject, type Decoded } from './decode-typed.ts';

function typeOf(apiVersion: string, kind: string): StructType {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const type = typeOfKind({ group, version, kind });
  assert.ok(type, `${apiVersion} ${kind} is in the table`);
  return type;
}

function decode(apiVersion: string, kind: string, text: string): Decoded {
  return decodeTyped(typeOf(apiVersion, kind), parseUnboundedJson(text).value);
}

function wireText(apiVersion: string, kind: string, text: string): string {
  const { object, problems } = decode(apiVersion, kind, text);
  assert.deepEqual(problems, { unknownFields: [] });
  return JSON.stringify(object);
}

function errorOf(text: string, apiVersion = 'apps/v1', kind = 'Deployment'): string | undefined {
  return decode(apiVersion, kind, text).problems.error;
}

function deploymentError(spec: string): string | undefined {
  return errorOf(`{"spec":${spec}}`);
}

describe('a decoded object', () => {
  test('has its fields in struct order, with those that are always written', () => {
    const text = wireText(
      'apps/v1',
      'Deployment',
      '{"spec":{"replicas":1},"metadata":{"name":"x"},"kind":"Deployment","apiVersion":"apps/v1"}',
    );
    assert.equal(
      text,
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"x"},"spec":{"replicas":1,"selector":null,' +
        '"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    );
  });

  test('leaves out what is empty, but keeps pointers to zero values', () => {
    const spec =
      '{"replicas":0,"paused":false,"template":{"spec":{"containers":null,"volumes":[],"hostNetwork":false,"serviceAccountName":"","automountServiceAccountToken":false,"nodeSelector":{}}}}';
    assert.equal(
      wireText('apps/v1', 'Deployment', `{"spec":${spec}}`),
      '{"metadata":{},"spec":{"replicas":0,"selector":null,"template":{"metadata":{},' +
        '"spec":{"containers":null,"automountServiceAccountToken":false}},"strategy":{}},"status":{}}',
    );
  });

  test('takes null for the zero value', () => {
    assert.equal(
      wireText(
        'v1',
        'Pod',
        '{"metadata":null,"spec":{"containers":[null],"volumes":null,"nodeName":null,"priority":null}}',
      ),
      '{"metadata":{},"spec":{"containers":[{"name":"","resources":{}}]},"status":{}}',
    );
  });

  test('writes bytes, times, quantities and int-or-strings as Go does', () => {
    assert.equal(
      wireText(
        'v1',
        'Secret',
        '{"metadata":{"creationTimestamp":"2026-01-02T03:04:05.6+02:00"},"data":{"z":"eHi5\\neHh4","b":null,"a":"eHh="}}',
      ),
      '{"metadata":{"creationTimestamp":"2026-01-02T01:04:05Z"},"data":{"a":"eHg=","b":"","z":"eHi5eHh4"}}',
    );
    assert.equal(
      wireText('v1', 'ResourceQuota', '{"spec":{"hard":{"pods":10,"memory":"1024Mi","cpu":"0.5"}}}'),
      '{"metadata":{},"spec":{"hard":{"cpu":"500m","memory":"1Gi","pods":"10"}},"status":{}}',
    );
    assert.equal(
      wireText('policy/v1', 'PodDisruptionBudget', '{"spec":{"minAvailable":"50%","maxUnavailable":1}}'),
      '{"metadata":{},"spec":{"minAvailable":"50%","maxUnavailable":1},"status":{"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":0,"expectedPods":0}}',
    );
    assert.equal(
      wireText('coordination.k8s.io/v1', 'Lease', '{"spec":{"renewTime":"2026-01-02T03:04:05.600000+01:00"}}'),
      '{"metadata":{},"spec":{"renewTime":"2026-01-02T02:04:05.600000Z"}}',
    );
  });

  test('reads quantities that are numbers by their text', () => {
    const hard = (number: string): unknown =>
      JSON.parse(wireText('v1', 'ResourceQuota', `{"spec":{"hard":{"cpu":${number}}}}`)).spec.hard.cpu;
    const numbers = [
      '1e3',
      '1E3',
      '1.0',
      '1.5',
      '9223372036854775808',
      '12345678901234567890123',
      '1e30',
      '0.0000001',
      '1e-3',
      '-2.5e-4',
      '1e-400',
      '1e309',
      '-0',
    ];
    assert.deepEqual(
      numbers.map((number) => [number, hard(number)]),
      [
        ['1e3', '1e3'],
        ['1E3', '1E3'],
        ['1.0', '1'],
        ['1.5', '1500m'],
        ['9223372036854775808', '9223372036854775808'],
        ['12345678901234567890123', '12345678901234567890123'],
        ['1e30', '1e30'],
        ['0.0000001', '100n'],
        ['1e-3', '1e-3'],
        ['-2.5e-4', '-250e-6'],
        ['1e-400', '1e-9'],
        ['1e309', '1e309'],
        ['-0', '0'],
      ],
    );
  });

  test('keeps the text of numbers in raw JSON', () => {
    const data = '{"b":[1e3,1.0,-0,0.10],"a":1e-3}';
    const { object } = decode('apps/v1', 'ControllerRevision', `{"data":${data}}`);
    assert.equal(stringifyJson(object['data'] ?? null), data);
  });

  test('converts numbers as Go does where it came of maps', () => {
    const converted = (kind: string, text: string): JsonObject =>
      decodeTyped(typeOf('v1', kind), parseUnboundedJson(text).value, { isConverted: true }).object;
    const port = (number: string): unknown =>
      JSON.parse(
        stringifyJson(converted('Pod', `{"spec":{"containers":[{"name":"a","ports":[{"containerPort":${number}}]}]}}`)),
      ).spec.containers[0].ports[0].containerPort;
    assert.deepEqual(
      ['80', '1.0', '4294967376', '9223372036854775807', '9223372036854775808', '-1e300'].map(port),
      [80, 1, 80, -1, 0, 0],
    );
    const quota = converted('ResourceQuota', '{"spec":{"hard":{"cpu":1e3,"memory":9223372036854775808}}}');
    assert.deepEqual(quota['spec'], { hard: { cpu: '1k', memory: '9223372036854776k' } });
  });

  test('keeps the exponents of quantities that are strings', () => {
    assert.equal(
      wireText('v1', 'ResourceQuota', '{"spec":{"hard":{"cpu":"1e-3","memory":"-2.5e-4","pods":"1e3"}}}'),
      '{"metadata":{},"spec":{"hard":{"cpu":"1e-3","memory":"-250e-6","pods":"1e3"}},"status":{}}',
    );
  });

  test('keeps int64s that no double holds', () => {
    const { object } = decode('v1', 'ConfigMap', '{"metadata":{"generation":9007199254740993}}');
    assert.equal((object['metadata'] as JsonObject)['generation'], 9007199254740993n);
  });

  test('shares nothing with its input', () => {
    const value = JSON.parse(
      '{"metadata":{"managedFields":[{"fieldsV1":{"f:data":{}}}]},"data":{"a":"b"}}',
    ) as JsonObject;
    const before = structuredClone(value);
    const { object } = decodeTyped(typeOf('v1', 'ConfigMap'), value);
    const entry = (object as { metadata: { managedFields: { fieldsV1: JsonObject }[] } }).metadata.managedFields[0];
    assert.ok(entry);
    entry.fieldsV1['f:data'] = 'changed';
    (object['data'] as JsonObject)['a'] = 'changed';
    assert.deepEqual(value, before);
  });

  test('keeps a key called __proto__ as data', () => {
    const text = wireText('v1', 'ConfigMap', '{"data":{"__proto__":"a","constructor":"b"}}');
    assert.equal(text, '{"metadata":{},"data":{"__proto__":"a","constructor":"b"}}');
  });

  test('keeps empty lists where the caller asks for it', () => {
    const role = { rules: [], metadata: { labels: {} } };
    const type = typeOf('rbac.authorization.k8s.io/v1', 'Role');
    assert.deepEqual(decodeTyped(type, role).object, { metadata: {}, rules: null });
    assert.deepEqual(decodeTyped(type, role, { keepsEmpty: true }).object, { metadata: {}, rules: [] });
  });

  test('keeps an empty list that differs from an absent one', () => {
    const type = typeOf('autoscaling/v2', 'HorizontalPodAutoscaler');
    const behavior = { scaleUp: { policies: [] }, scaleDown: { policies: null } };
    const { object } = decodeTyped(type, { spec: { behavior } });
    assert.deepEqual((object['spec'] as JsonObject)['behavior'], { scaleUp: { policies: [] }, scaleDown: {} });
  });

  test('of nothing is the zero value that Go writes', () => {
    assert.deepEqual(emptyObject(typeOf('v1', 'Service')), { metadata: {}, spec: {}, status: { loadBalancer: {} } });
  });
});

describe('an unknown field', () => {
  test('is reported with its path, once for each place, and dropped', () => {
    const { object, problems } = decode(
      'apps/v1',
      'Deployment',
      '{"spec":{"foo":1,"template":{"x":{"y":1},"metadata":{"foo":1},"spec":{"containers":[{"q":1},{"ports":[{"z":1}]}]}}}}',
    );
    assert.deepEqual(problems.unknownFields, [
      'spec.foo',
      'spec.template.x',
      'spec.template.metadata.foo',
      'spec.template.spec.containers[0].q',
      'spec.template.spec.containers[1].ports[0].z',
    ]);
    assert.ok(!JSON.stringify(object).includes('foo'));
  });

  test('differs from a known one by letter case', () => {
    assert.deepEqual(decode('v1', 'Pod', '{"Metadata":{}}').problems.unknownFields, ['Metadata']);
  });

  test('is reported a hundred times at most', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field-${i}`, i]));
    assert.equal(decodeTyped(typeOf('v1', 'Pod'), many).problems.unknownFields.length, 100);
  });
});

describe('a value of a wrong type', () => {
  const prefix = 'json: cannot unmarshal';

  test('is reported with the innermost struct and the path of fields', () => {
    assert.equal(
      deploymentError('{"replicas":"1"}'),
      `${prefix} string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    );
    assert.equal(
      deploymentError('"x"'),
      `${prefix} string into Go struct field Deployment.spec of type v1.DeploymentSpec`,
    );
    assert.equal(
      deploymentError('{"template":{"spec":{"containers":[{"name":1}]}}}'),
      `${prefix} number into Go struct field Container.spec.template.spec.containers.name of type string`,
    );
    assert.equal(errorOf('["a"]'), `${prefix} array into Go value of type v1.Deployment`);
  });

  test('is called by its Go type', () => {
    assert.equal(
      deploymentError('{"template":{"spec":{"containers":{}}}}'),
      `${prefix} object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container`,
    );
    assert.equal(
      deploymentError('{"template":{"spec":{"containers":["a"]}}}'),
      `${prefix} string into Go struct field PodSpec.spec.template.spec.containers of type v1.Container`,
    );
    assert.equal(
      deploymentError('{"template":{"spec":{"restartPolicy":5}}}'),
      `${prefix} number into Go struct field PodSpec.spec.template.spec.restartPolicy of type v1.RestartPolicy`,
    );
    assert.equal(
      deploymentError('{"template":{"metadata":{"labels":"x"}}}'),
      `${prefix} string into Go struct field ObjectMeta.spec.template.metadata.labels of type map[string]string`,
    );
    assert.equal(
      deploymentError('{"template":{"spec":{"containers":[{"resources":{"limits":["cpu"]}}]}}}'),
      `${prefix} array into Go struct field ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList`,
    );
  });

  test('is found under embedded structs by their Go names', () => {
    assert.equal(
      deploymentError('{"template":{"spec":{"volumes":[{"name":"a","emptyDir":{"medium":5}}]}}}'),
      `${prefix} number into Go struct field EmptyDirVolumeSource.spec.template.spec.volumes.VolumeSource.emptyDir.medium of type v1.StorageMedium`,
    );
  });

  test('is shown with its digits when it is a number out of range', () => {
    const field = 'Go struct field DeploymentSpec.spec.replicas of type int32';
    assert.equal(deploymentError('{"replicas":1.5}'), `${prefix} number 1.5 into ${field}`);
    assert.equal(deploymentError('{"replicas":1.0}'), `${prefix} number 1.0 into ${field}`);
    assert.equal(deploymentError('{"replicas":1e3}'), `${prefix} number 1e3 into ${field}`);
    assert.equal(deploymentError('{"replicas":3000000000}'), `${prefix} number 3000000000 into ${field}`);
    assert.equal(
      deploymentError('{"replicas":9223372036854775807}'),
      `${prefix} number 9223372036854775807 into ${field}`,
    );
  });

  test('is the first of several, unless one ends the decoding', () => {
    assert.equal(
      deploymentError('{"replicas":true,"paused":"no"}'),
      `${prefix} bool into Go struct field DeploymentSpec.spec.replicas of type int32`,
    );
    assert.equal(
      deploymentError('{"replicas":"x","strategy":{"rollingUpdate":{"maxSurge":{}}}}'),
      `${prefix} object into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32`,
    );
  });

  test('has the message of its own type', () => {
    const template = (metadata: string) => deploymentError(`{"template":{"metadata":${metadata}}}`);
    assert.equal(
      template('{"creationTimestamp":"x"}'),
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    );
    assert.equal(
      template('{"creationTimestamp":5}'),
      `${prefix} number into Go struct field ObjectMeta.spec.template.metadata.creationTimestamp of type string`,
    );
    assert.equal(
      deploymentError('{"strategy":{"rollingUpdate":{"maxSurge":1.5}}}'),
      `${prefix} number 1.5 into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32`,
    );
    assert.equal(
      errorOf('{"spec":{"hard":{"cpu":"x"}}}', 'v1', 'ResourceQuota'),
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  test('says where base64 is invalid', () => {
    const secret = (data: string) => errorOf(`{"data":${data}}`, 'v1', 'Secret');
    assert.equal(secret('{"a":"x"}'), 'illegal base64 data at input byte 0');
    assert.equal(secret('{"a":"eHh4!eHh4"}'), 'illegal base64 data at input byte 4');
    assert.equal(secret('{"a":[1,2,300]}'), `${prefix} number 300 into Go struct field Secret.data of type uint8`);
    assert.equal(secret('{"a":[1,2,30]}'), undefined);
  });
});

describe('a JSON schema', () => {
  const crd = (schema: string) =>
    decode(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}]}}`,
    );

  test('may stand where a boolean or a list may', () => {
    const schema =
      '{"items":{"type":"string"},"dependencies":{"a":["b"],"c":{"type":"object"}},"additionalProperties":false,"default":{"z":1,"a":null}}';
    const text = JSON.stringify(crd(schema).object);
    assert.ok(text.includes('"default":{"a":null,"z":1}'), 'keys are sorted');
    assert.ok(text.includes('"items":{"type":"string"}'));
    assert.ok(text.includes('"additionalProperties":false'));
    assert.ok(text.includes('"dependencies":{"a":["b"],"c":{"type":"object"}}'));
  });

  test('that is wrong inside such a place is reported from there on', () => {
    assert.equal(
      crd('{"items":{"properties":{"a":{"type":5}}}}').problems.error,
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.items.properties.type of type string',
    );
    assert.equal(crd('{"additionalProperties":"x"}').problems.error, 'boolean or JSON schema expected');
  });

  test('that nests without end is refused', () => {
    let schema: JsonValue = { type: 'object' };
    for (let i = 0; i < 4000; i++) schema = { not: schema };
    const type = typeOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    const value = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
    assert.equal(decodeTyped(type, value).problems.error, 'exceeded max depth');
  });
});

const golden = referenceData();

test('every golden object decodes to itself', { skip: golden.skip }, () => {
  const folder = golden.path('kubernetes/golden');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'core.v1.WatchEvent.json');
  assert.ok(names.length > 180);
  for (const name of names) {
    const text = JSON.stringify(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
    const { apiVersion, kind } = JSON.parse(text) as { apiVersion: string; kind: string };
    assert.equal(wireText(apiVersion, kind, text), text, name);
  }
});
