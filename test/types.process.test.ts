import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { referenceData } from '@flotilla/testkit';
import { runFlotilla, Scratch, startFlotilla, type FlotillaProcess } from './flotilla-process.ts';
import { asAdministrator, exchangeHttp1 } from './wire.ts';

const root = resolve(import.meta.dirname, '..');

const harbours = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: harbours.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: harbours, kind: Harbour}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: A harbour. */ and more
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: string, enum: [small, large]}
              share: {x-kubernetes-int-or-string: true}
              chart: {x-kubernetes-preserve-unknown-fields: true}
              template: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}
              "odd name": {type: array, nullable: true, items: {type: object, properties: {a: {type: number}}}}
---
kind: ConfigMap
apiVersion: v1
`;

/** A program that uses the types. The second constant must not compile. */
const usage = `import type { Harbour } from './types.ts';
export const right: Harbour = { apiVersion: 'sea.example.com/v1', kind: 'Harbour', metadata: {}, spec: { size: 'small', share: '1%' } };
// @ts-expect-error -- there is no such size
export const wrong: Harbour = { ...right, spec: { size: 'huge' } };
`;

async function compile(...files: string[]): Promise<string> {
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--types', ''];
  const more = ['--ignoreConfig', '--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [
    ...flags,
    ...more,
    ...files,
  ]).catch((error: { stdout: string }) => error);
  return stdout;
}

describe('flotilla types', () => {
  test('prints types that compile under strict settings', async () => {
    using scratch = new Scratch();
    writeFileSync(scratch.file('harbours.yaml'), harbours);
    const { code, stdout, stderr } = await runFlotilla(['types', scratch.file('harbours.yaml')]);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    writeFileSync(scratch.file('types.ts'), stdout);
    writeFileSync(scratch.file('usage.ts'), usage);
    assert.equal(await compile(scratch.file('usage.ts')), '');
  });

  test('reports what is wrong with a file', async () => {
    using scratch = new Scratch();
    const file = scratch.file('wrong.yaml');
    const faults = [
      ['kind: ConfigMap', `${file} contains no CustomResourceDefinition.`],
      ['a: [', `${file} is neither YAML nor JSON`],
      ['{"kind":"CustomResourceDefinition"}', 'must be apiextensions.k8s.io/v1'],
      [
        '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","spec":{"group":1}}',
        'cannot unmarshal',
      ],
    ] as const;
    for (const [content, sentence] of faults) {
      writeFileSync(file, content);
      const { code, stderr, stdout } = await runFlotilla(['types', file]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.ok(stderr.includes(sentence), stderr);
    }
    const { code, stderr } = await runFlotilla(['types', scratch.file('absent.yaml')]);
    assert.equal(code, 1);
    assert.match(stderr, /cannot read .*absent\.yaml/);
  });

  const data = referenceData();
  test('prints types that compile for every CRD of KubeFleet', { skip: data.skip }, async () => {
    using scratch = new Scratch();
    const { stdout } = await runFlotilla(['types', ...globSync(`${data.path('kubefleet/crds')}/*`)]);
    writeFileSync(scratch.file('types.ts'), stdout);
    assert.match(stdout, /export interface ClusterResourcePlacementV1beta1 /);
    assert.equal(await compile(scratch.file('types.ts')), '');
  });
});

describe('flotilla types of a server', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let server: FlotillaProcess;
  before(async () => {
    scratch = new Scratch();
    server = await startFlotilla(['--memory', '--bare'], scratch.file('kubeconfig'));
    const target = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const [definition = ''] = harbours.split('\n---');
    for (const body of [definition, definition.replaceAll('harbour', 'pier').replaceAll('Harbour', 'Pier')]) {
      const sent = { method: 'POST', target, type: 'application/yaml', body };
      const { status, text } = await exchangeHttp1(server, sent, asAdministrator(server));
      assert.equal(status, 201, text);
    }
  });
  after(async () => {
    await server.stop();
    scratch[Symbol.dispose]();
  });

  const types = (...names: string[]) => runFlotilla(['types', '--kubeconfig', scratch.file('kubeconfig'), ...names]);

  test('prints types for all its CRDs', async () => {
    const { stdout, stderr } = await types();
    assert.equal(stderr, '');
    writeFileSync(scratch.file('types.ts'), stdout);
    writeFileSync(scratch.file('usage.ts'), usage);
    assert.equal(await compile(scratch.file('usage.ts')), '');
    assert.match(stdout, /export interface Pier /);
  });

  test('prints types for the named CRDs, by every name that kubectl accepts', async () => {
    for (const name of ['harbours.sea.example.com', 'harbours', 'harbour', 'Harbour']) {
      const { stdout } = await types(name);
      assert.match(stdout, /export interface Harbour /, name);
      assert.doesNotMatch(stdout, /Pier/, name);
    }
  });

  test('reports unknown names, unknown contexts and missing arguments', async () => {
    const absent = await types('boats', 'harbours');
    const known = 'it has harbours.sea.example.com, piers.sea.example.com';
    assert.equal(absent.stderr, `flotilla: the server has no CustomResourceDefinition boats; ${known}.\n`);
    assert.deepEqual([absent.code, absent.stdout], [1, '']);
    const context = await types('--context', 'other');
    assert.match(context.stderr, /^flotilla: cannot read CustomResourceDefinitions: .*other.*\n$/);
    assert.match((await runFlotilla(['types'])).stderr, /no CRDs given; name CRD files, or a server with --kubeconfig/);
    assert.match(
      (await runFlotilla(['types', '--context', 'a', 'b'])).stderr,
      /--context only applies with --kubeconfig/,
    );
  });
});
