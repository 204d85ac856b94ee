/** Our definitions equal KubeFleet's and OCM's, except for descriptions and for what docs/seed-promises.md lists. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { CustomResourceDefinition, JsonSchema } from '@flotilla/schema';
import { referenceData } from '@flotilla/testkit';
import { definitions, networkingDefinitions } from './definitions.ts';
import { fieldRows } from './reference/field-rows.ts';
import { differences } from './definition-differences.testing.ts';

const all = await definitions();
const networking = await networkingDefinitions();

const additions = [
  // A run can also be `Abandoned`, which is final.
  /stagedupdateruns\.[\w.-]+\.spec\.properties\.state\.(enum|x-kubernetes-validations): /,
  // A placement keeps these fields if it is written through v1.
  /resourceplacements\.[\w.-]+\.v1\.[\w.-]+\.strategy\.properties\.(deleteStrategy|reportBackStrategy): undefined and /,
];

const references = [
  { folder: 'kubefleet/crds', groups: /\.(kubernetes-fleet\.io|multicluster\.x-k8s\.io)\.json$/ },
  { folder: 'ocm/crds', groups: /\.cluster\.open-cluster-management\.io\.json$/ },
];

describe('compared with the definitions of KubeFleet and OCM', () => {
  const { skip, path } = referenceData();

  test('none of ours is missing or extra', { skip }, () => {
    const files = references.flatMap(({ folder, groups }) =>
      readdirSync(path(folder)).filter((file) => groups.test(file)),
    );
    assert.deepEqual(new Set(all.map(({ metadata }) => `${metadata.name}.json`)), new Set(files));
  });

  for (const definition of all) {
    test(`${definition.metadata.name} is the same`, { skip }, () => {
      const name = `${definition.metadata.name}.json`;
      const { folder } = references.find(({ groups }) => groups.test(name)) ?? { folder: '' };
      const file = path(`${folder}/${name}`);
      const reference = JSON.parse(readFileSync(file, 'utf8')) as CustomResourceDefinition;
      assert.deepEqual(
        differences(reference, definition).filter((line) => !additions.some((addition) => addition.test(line))),
        [],
      );
    });
  }
});

describe('on the wire', () => {
  test('an InternalMemberCluster has the fields that agents of KubeFleet know', () => {
    assert.deepEqual(fieldsOf('InternalMemberCluster', 'v1'), [
      'spec* object',
      'spec.state* string',
      'spec.heartbeatPeriodSeconds integer int32 1-600 =60',
      'status object',
      'status.conditions array',
      'status.properties object',
      'status.properties{}.value* string',
      'status.properties{}.observationTime* string date-time',
      'status.resourceUsage object',
      'status.resourceUsage.capacity object',
      'status.resourceUsage.allocatable object',
      'status.resourceUsage.available object',
      'status.resourceUsage.observationTime string date-time',
      'status.agentStatus array',
      'status.agentStatus[].type* string',
      'status.agentStatus[].conditions array type',
      'status.agentStatus[].lastReceivedHeartbeat string date-time',
    ]);
  });

  test('an AppliedWork has the fields that agents of KubeFleet write', () => {
    const identifier = ['group', 'version', 'kind', 'resource', 'namespace', 'name', 'uid'];
    assert.deepEqual(fieldsOf('AppliedWork', 'v1beta1'), [
      'spec* object',
      'spec.workName* string',
      'spec.workNamespace* string',
      'status object',
      'status.appliedResources array',
      'status.appliedResources[].ordinal* integer',
      ...identifier.map((name) => `status.appliedResources[].${name} string`),
    ]);
  });
});

describe('fleet networking, as of its release v0.2.7', () => {
  const reference = ['clusterId*', 'apiVersion', 'kind*', 'namespace*', 'name*', 'resourceVersion*'];

  function referenceRows(path: string): string[] {
    return [
      `${path}* object`,
      ...reference.map((name) => `${path}.${name} string`),
      `${path}.generation* integer int64`,
      `${path}.uid* string`,
      `${path}.namespacedName* string`,
      `${path}.exportedSince string date-time`,
    ];
  }

  function portRows(path: string): string[] {
    return [
      `${path}[].name string`,
      `${path}[].protocol string ="TCP"`,
      `${path}[].appProtocol string`,
      `${path}[].port* integer int32 1-65535`,
      `${path}[].targetPort `,
    ];
  }

  test('an EndpointSliceExport has its fields', () => {
    assert.deepEqual(fieldsOf('EndpointSliceExport', 'v1alpha1'), [
      'spec* object',
      'spec.addressType* string ="IPv4"',
      'spec.endpoints* array',
      'spec.endpoints[].addresses* array',
      'spec.ports array',
      'spec.ports[].name string',
      'spec.ports[].protocol string ="TCP"',
      'spec.ports[].port integer int32',
      'spec.ports[].appProtocol string',
      ...referenceRows('spec.endpointSliceReference'),
      'spec.ownerServiceReference* object',
      ...['namespace', 'name', 'namespacedName'].map((name) => `spec.ownerServiceReference.${name}* string`),
    ]);
  });

  test('an InternalServiceExport has its fields', () => {
    assert.deepEqual(fieldsOf('InternalServiceExport', 'v1alpha1'), [
      'spec object',
      'spec.ports* array',
      ...portRows('spec.ports'),
      ...referenceRows('spec.serviceReference'),
      'status object',
      'status.conditions array type',
    ]);
  });

  test('an InternalServiceImport has its fields', () => {
    assert.deepEqual(fieldsOf('InternalServiceImport', 'v1alpha1'), [
      'spec* object',
      ...referenceRows('spec.serviceImportReference'),
      'status object',
      'status.type string',
      'status.ips array',
      'status.ports array',
      ...portRows('status.ports'),
      'status.clusters array cluster',
      'status.clusters[].cluster* string',
      'status.sessionAffinity string',
      'status.sessionAffinityConfig object',
      'status.sessionAffinityConfig.clientIP object',
      'status.sessionAffinityConfig.clientIP.timeoutSeconds integer int32',
    ]);
  });
});

describe('two definitions', () => {
  const [definition] = all;
  assert.ok(definition);

  test('do not differ in their descriptions', () => {
    const other = structuredClone(definition);
    const root = other.spec.versions[0]?.schema?.openAPIV3Schema as { description: string };
    root.description = 'Otherwise.';
    assert.deepEqual(differences(definition, other), []);
  });

  test('differ in a field, a column, a name', () => {
    const other = structuredClone(definition);
    other.spec.names.shortNames = ['mc'];
    other.spec.versions[1]?.additionalPrinterColumns?.pop();
    const spec = other.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] as { required?: string[] };
    spec.required = [];
    assert.deepEqual(
      differences(definition, other).map((line) => line.slice(0, line.indexOf(': '))),
      [
        'memberclusters.cluster.kubernetes-fleet.io.names.shortNames',
        'memberclusters.cluster.kubernetes-fleet.io.versions.v1.schema.properties.spec.required',
        'memberclusters.cluster.kubernetes-fleet.io.versions.v1beta1.columns',
      ],
    );
  });
});

/** Each field in short: name, star, type, format, bounds, keys, default. Fields of conditions are omitted. */
function fieldsOf(kind: string, version: string): string[] {
  const { spec } = [...all, ...networking].find(({ spec }) => spec.names.kind === kind) ?? {};
  const schema = spec?.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? {};
  return fieldRows(schema, [])
    .filter(({ path }) => !/^(apiVersion|kind|metadata)$|conditions\[\]/.test(path))
    .map(({ path, isRequired, schema }) => [`${path}${isRequired ? '*' : ''}`, ...facts(schema)].join(' '));
}

function facts(schema: JsonSchema): string[] {
  const { type, format, minimum, maximum, default: value } = schema;
  const bounds = minimum === undefined ? [] : [`${minimum}-${maximum}`];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const filled = value === undefined ? [] : [`=${JSON.stringify(value)}`];
  return [type ?? '', ...(format === undefined ? [] : [format]), ...bounds, ...keys, ...filled];
}
