import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultBehaviour } from '@flotilla/simulator';
import { shapeOfMembers } from './fleet-shape.ts';
import { FleetFileError, parseFleetFile } from './parse-fleet-file.ts';
import { completeFleetFile, printFleetFile } from './print-fleet-file.ts';

function parse(text: string) {
  return parseFleetFile(text, { name: 'fleet.yaml', resolveFile: (file) => `/fleets/${file}` });
}

function problemsOf(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof FleetFileError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a fleet file', () => {
  test('that is empty means the fleet that starts without a file', () => {
    assert.deepEqual(parse(''), shapeOfMembers(3));
    assert.deepEqual(parse('members: []'), shapeOfMembers(0));
    assert.deepEqual(parse('members: [{ names: "member-{1..7}" }]'), shapeOfMembers(7));
    assert.deepEqual(parse('members: [{ name: oslo }, { name: rome }]'), shapeOfMembers(['oslo', 'rome']));
  });

  test('names many members by a range, with leading zeros', () => {
    const { members } = parse('members: [{ names: "west-{08..11}", heartbeat: 15s }]');
    assert.deepEqual(
      members.map(({ name, context, serviceAccount, heartbeatSeconds }) => [
        name,
        context,
        serviceAccount,
        heartbeatSeconds,
      ]),
      ['08', '09', '10', '11'].map((n) => [`west-${n}`, `west-${n}`, `west-${n}-hub-cluster-access`, 15]),
    );
  });

  test('resolves the files that it names', () => {
    const { hub, members } = parse('hub: {dataDir: data}\nmembers: [{name: a, kubeconfig: k}]');
    assert.deepEqual([hub.dataDir, members[0]?.kubeconfig], ['/fleets/data', '/fleets/k']);
  });

  test('may leave keys without a value', () => {
    assert.deepEqual(parse('hub:\nmembers:\n'), parse(''));
    assert.deepEqual(parse('members: [{name: a, labels: , nodes: }]').members, parse('members: [{name: a}]').members);
  });

  test('gives members the behaviour of the fleet, where they have none of their own', () => {
    const { hub, members } = parse(`
workloads: { outcome: never, delays: { pulling: 2s, jitter: 0.5 }, rules: [{ images: [nginx], outcome: ready }] }
members: [{ name: a }, { name: b, workloads: { outcome: crash, loadBalancers: false } }]
`);
    assert.deepEqual(members[0]?.workloads, hub.workloads);
    assert.deepEqual(hub.workloads, {
      ...defaultBehaviour,
      outcome: 'never',
      rules: [{ images: ['nginx'], outcome: 'ready' }],
      delays: { ...defaultBehaviour.delays, pullingMs: 2000, jitter: 0.5 },
    });
    assert.deepEqual(members[1]?.workloads, { ...hub.workloads, outcome: 'crash', loadBalancers: false });
  });

  test('gives nodes the capacity and the region that it names', () => {
    const { members } = parse('members: [{name: a, region: westus, nodes: [{cpu: 0.5, pods: 9}, {instanceType: D4}]}]');
    const group = { name: 'node', count: 1, labels: {}, taints: [], region: 'westus' };
    assert.deepEqual(members[0]?.nodes, [
      { ...group, capacity: { cpu: '0.5', pods: '9' } },
      { ...group, instanceType: 'D4' },
    ]);
  });

  test('shares values by anchors and merge keys', () => {
    const { members } = parse(`
members:
- &west { name: a, labels: { region: west }, nodes: [{ count: 1 }] }
- { <<: *west, name: b }
`);
    assert.deepEqual(members[1], { ...members[0], name: 'b', context: 'b', serviceAccount: 'b-hub-cluster-access' });
  });
});

describe('the problems of a fleet file', () => {
  test('are all reported, in order, each with its line and its path', () => {
    const text = `apiVersion: flotilla.dev/v7
hub:
  prot: 6443
  port: 70000
  forceDeleteWaitTime: 1s
  resourceChangesCollectionDuration: 2m
members:
- nmae: a
- name: oslo
  labels: { tier: 1 }
  nodes:
  - count: -1
    memory: 16Gb
- name: Oslo
- name: oslo
- name: hub
- { name: rome, heartbeat: 15, serviceAccount: oslo-hub-cluster-access }
- 5
- { names: "w-{1..3}", context: w, kubeconfig: k }
- { name: real, kubeContext: prod, properties: { prices: { D4: 0.2 } } }
`;
    assert.deepEqual(problemsOf(text), [
      'fleet.yaml:1: apiVersion: "flotilla.dev/v7" is not flotilla.dev/v1alpha1',
      'fleet.yaml:3: hub.prot: unknown field; did you mean port?',
      'fleet.yaml:4: hub.port: 70000 is not a whole number from 0 to 65535',
      'fleet.yaml:5: hub.forceDeleteWaitTime: "1s" must be from 30s to 1h',
      'fleet.yaml:6: hub.resourceChangesCollectionDuration: "2m" must be from 0s to 1m',
      'fleet.yaml:8: members[0].nmae: unknown field; did you mean name?',
      'fleet.yaml:8: members[0]: each entry has either name or names',
      'fleet.yaml:10: members[1].labels.tier: 1 is not text; write it in quotes: "1"',
      'fleet.yaml:12: members[1].nodes[0].count: -1 is not a whole number from 0 to 5000',
      'fleet.yaml:13: members[1].nodes[0].memory: "16Gb" is not a quantity; write for instance 500m, 4 or 16Gi',
      "fleet.yaml:14: members[2].name: invalid member name \"Oslo\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      'fleet.yaml:15: members[3].name: the name "oslo" is used twice; each cluster needs its own',
      'fleet.yaml:16: members[4].context: the context "hub" is used twice; each cluster needs its own',
      'fleet.yaml:17: members[5].heartbeat: 15 is not a duration; write for instance 15s, 5m or 1h30m',
      'fleet.yaml:17: members[5].serviceAccount: the service account "oslo-hub-cluster-access" is used twice; each cluster needs its own',
      'fleet.yaml:18: members[6]: 5 is not an object with fields',
      'fleet.yaml:19: members[7].context: context only applies to a single member; use name instead of names',
      'fleet.yaml:19: members[7].kubeconfig: kubeconfig only applies to a single member; use name instead of names',
      'fleet.yaml:19: members[7].context: context does not apply to a real cluster; leave it out or leave out kubeconfig',
      'fleet.yaml:20: members[8].kubeContext: kubeContext only applies with kubeconfig',
      'fleet.yaml:20: members[8].properties.prices: prices only apply with provider: azure',
    ]);
  });

  test('show how a taint is written', () => {
    assert.deepEqual(problemsOf('hub: { newMemberTaint: new }'), [
      'fleet.yaml:1: hub.newMemberTaint: "new" is not a taint; write KEY=VALUE:NoSchedule',
    ]);
  });

  test('show how APIs are written', () => {
    assert.deepEqual(problemsOf('hub: { skippedPropagatingApis: a/b/c/d }'), [
      'fleet.yaml:1: hub.skippedPropagatingApis: "a/b/c/d" is not an API; write GROUP, GROUP/VERSION or GROUP/VERSION/KIND,KIND',
    ]);
    assert.deepEqual(problemsOf('hub: { skippedPropagatingApis: apps, allowedPropagatingApis: batch }'), [
      'fleet.yaml:1: hub.allowedPropagatingApis: skipped and allowed APIs exclude each other; choose one',
    ]);
  });

  test('name the controllers that exist', () => {
    const [problem = ''] = problemsOf('hub: { controllers: "clusters,-sails" }');
    assert.match(
      problem,
      /^fleet\.yaml:1: hub\.controllers: "-sails" is not a controller; write \*, or some of clusters, /,
    );
  });

  test('name the limit of members', () => {
    assert.deepEqual(problemsOf('members: [{ names: "a-{1..1999}" }, { names: "b-{1..2}" }]'), [
      'fleet.yaml:1: members[1].names: "b-{1..2}" means 2 members, too many for a fleet; 1 more are possible',
    ]);
    assert.match(problemsOf('members: [{ names: "a-{1..2000}" }, { name: b }]')[0] ?? '', /at most 2000 members/);
    assert.match(problemsOf('members: [{ names: "a-{3..1}" }]')[0] ?? '', /ends before it starts/);
    assert.match(problemsOf('members: [{ names: "a-*" }]')[0] ?? '', /is not a pattern with a range/);
  });

  test('are one sentence for what is not YAML, or not a fleet', () => {
    assert.deepEqual(problemsOf('hub:\n  port: [\n'), ['fleet.yaml:3: did not find expected node content']);
    assert.deepEqual(problemsOf('- a'), ['fleet.yaml:1: a fleet file is an object with fields, for instance members']);
    assert.deepEqual(problemsOf('hub: {port: 1}\nhub: {port: 2}'), [
      'fleet.yaml:2: the key "hub" is set twice; keep one',
    ]);
    assert.deepEqual(problemsOf('hub: *nothing'), ["fleet.yaml: unknown anchor 'nothing' referenced"]);
  });

  test('are bounded for hostile files', () => {
    assert.equal(problemsOf(`members: [${'{},'.repeat(1000)}]`).length, 51);
    assert.match(problemsOf(`x: ${'['.repeat(20_000)}`)[0] ?? '', /max depth/);
    assert.match(problemsOf(`x: "${'y'.repeat(2 ** 20)}"`)[0] ?? '', /larger than 1024 KiB/);
    assert.deepEqual(problemsOf('__proto__: {port: 1}\nmembers: [{name: a, labels: {__proto__: x}}]'), [
      'fleet.yaml:1: __proto__: unknown field; the fields here are apiVersion, kind, hub, workloads, members',
      "fleet.yaml:2: members[0].labels.__proto__: \"__proto__\" cannot be a key: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    ]);
    const bomb = ['a: &a [x, x, x, x, x, x, x, x]'];
    for (const [before, name] of ['a b', 'b c', 'c d', 'd e', 'e f', 'f g', 'g h'].map((pair) => pair.split(' '))) {
      bomb.push(`${name}: &${name} [${`*${before},`.repeat(8)}]`);
    }
    assert.deepEqual(problemsOf(bomb.join('\n')), ['fleet.yaml: document contains excessive aliasing']);
    const repeated = `members:\n- &a { name: a, annotations: { note: "${'y'.repeat(1000)}" } }\n`;
    const many = Array.from({ length: 1500 }, (_, index) => `- { <<: *a, name: m${index} }\n`).join('');
    assert.match(problemsOf(repeated + many)[0] ?? '', /with its aliases resolved, the file is larger/);
  });
});

describe('a printed fleet file', () => {
  const text = `
hub: { context: kind-hub, memory: true, definitions: [networking] }
members:
- name: oslo
  labels: { a.b/c: "yes", tier: "1" }
  annotations: { note: "${'many words '.repeat(20)}", lines: "a\\nb", mark: "# no comment" }
  taints: [{ key: dedicated }]
  nodes: [{ instanceType: D4, taints: [{ key: gpu, value: "true", effect: NoExecute }] }, { count: 2 }]
- { name: rome, join: waits, properties: { provider: azure, prices: { D4: 0.25, "D8 v2": 1 } } }
- { names: "west-{01..20}", region: westus, nodes: [] }
`;

  test('means the same fleet', () => {
    for (const source of ['', 'members: []', text]) {
      const shape = parseFleetFile(source, { name: 'fleet.yaml' });
      assert.deepEqual(parseFleetFile(printFleetFile(shape), { name: 'printed' }), shape);
      assert.deepEqual(parseFleetFile(JSON.stringify(completeFleetFile(shape)), { name: 'printed' }), shape);
    }
  });

  test('has a comment for each field, once', () => {
    const printed = printFleetFile(parse(text)).split('\n');
    const heartbeats = printed.flatMap((line, index) =>
      /^ +heartbeat: 1m$/.test(line) ? [printed[index - 1]?.trim()] : [],
    );
    assert.deepEqual(heartbeats, ['# Time between two heartbeats, from 1s to 10m.', 'taints: []', 'taints: []']);
    assert.ok(printed.includes('  # dataDir:'));
  });
});
