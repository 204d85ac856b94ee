import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const prefix = 'pod-security.kubernetes.io/';
const container = { name: 'c', image: 'i' };

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeNamespace('lax', {});
  await makeNamespace('baseline', { enforce: 'baseline' });
  await makeNamespace('restricted', { enforce: 'restricted' });
  await makeNamespace('old', { enforce: 'restricted', 'enforce-version': 'v1.18' });
  await makeNamespace('warned', { warn: 'baseline', 'warn-version': 'v1.28' });
});

async function makeNamespace(name: string, labels: Record<string, string>): Promise<void> {
  const answer = await server.request('POST', '/api/v1/namespaces', {
    body: { metadata: { name, labels: own(labels) } },
  });
  assert.equal(answer.status, 201, answer.text);
}

function own(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [prefix + name, value]));
}

/** The response to a pod: the refusal, or the warnings. */
async function verdict(namespace: string, spec: JsonObject, annotations: JsonObject = {}): Promise<string[]> {
  const body = { metadata: { name: 'p', annotations }, spec: { containers: [container], ...spec } };
  const {
    status,
    headers,
    body: answer,
  } = await server.request('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, { body });
  if (status !== 403) return warningsIn(headers['warning']);
  const message = answer['message'] as string;
  return [message.slice(message.indexOf(': ', 'pods "p" is forbidden: violates PodSecurity '.length) + 2)];
}

function warningsIn(headers: string | readonly string[] | undefined): string[] {
  return [headers ?? []].flat().map((text) => text.slice('299 - "'.length, -1).replaceAll('\\"', '"'));
}

const secured = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [{ ...container, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } }],
};

const withSecurity = (securityContext: JsonObject): JsonObject => ({ containers: [{ ...container, securityContext }] });

/** Pods that violate the baseline level, and the message for each. */
const notBaseline: readonly (readonly [JsonObject, string])[] = [
  [{ hostNetwork: true, hostIPC: true }, 'host namespaces (hostNetwork=true, hostIPC=true)'],
  [
    {
      containers: [
        {
          ...container,
          ports: [
            { containerPort: 80, hostPort: 80 },
            { containerPort: 9, hostPort: 9 },
          ],
        },
      ],
    },
    'hostPort (container "c" uses hostPorts 80, 9)',
  ],
  [{ volumes: [{ name: 'h', hostPath: { path: '/' } }] }, 'hostPath volumes (volume "h")'],
  [
    withSecurity({ capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'NET_RAW'] } }),
    'non-default capabilities (container "c" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    {
      securityContext: { seLinuxOptions: { type: 'x', user: 'u' } },
      ...withSecurity({ seLinuxOptions: { role: 'r' } }),
    },
    'seLinuxOptions (pod and container "c" set forbidden securityContext.seLinuxOptions: type "x"; user may not be set; role may not be set)',
  ],
  [
    { securityContext: { seccompProfile: { type: 'Unconfined' } } },
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
    'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
  ],
  [
    {
      securityContext: {
        sysctls: [
          { name: 'kernel.msgmax', value: '1' },
          { name: 'net.ipv4.tcp_rmem', value: '1' },
        ],
      },
    },
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    { containers: [{ ...container, livenessProbe: { httpGet: { host: 'h', port: 80 } } }] },
    'probe or lifecycle host (container "c" uses probe or lifecycle host "h")',
  ],
];

describe('the baseline', () => {
  test('allows pods without special fields', async () => {
    assert.deepEqual(await verdict('baseline', {}), []);
  });

  for (const [spec, sentence] of notBaseline) {
    test(`forbids ${sentence.slice(0, sentence.indexOf(' ('))}`, async () => {
      assert.deepEqual(await verdict('baseline', spec), [sentence]);
      assert.deepEqual(await verdict('lax', spec), []);
    });
  }

  test('of an older version has the rules of that version', async () => {
    const sysctls = [{ name: 'net.ipv4.tcp_rmem', value: '1' }];
    assert.deepEqual(await verdict('warned', { securityContext: { sysctls } }), [
      'would violate PodSecurity "baseline:v1.28": forbidden sysctls (net.ipv4.tcp_rmem)',
    ]);
    const probed = { containers: [{ ...container, livenessProbe: { httpGet: { host: 'h', port: 80 } } }] };
    assert.deepEqual(await verdict('warned', probed), []);
  });
});

describe('restricted', () => {
  test('requires explicit settings, and lists all that are missing', async () => {
    assert.deepEqual(await verdict('restricted', {}), [
      [
        'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
        'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
        'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
        'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
      ].join(', '),
    ]);
    assert.deepEqual(await verdict('restricted', secured), []);
  });

  test('replaces the weaker checks of the baseline', async () => {
    const volumes = [
      { name: 'h', hostPath: { path: '/' } },
      { name: 'n', nfs: { server: 's', path: '/p' } },
      { name: 'e', emptyDir: {} },
    ];
    assert.deepEqual(await verdict('restricted', { ...secured, volumes }), [
      'restricted volume types (volumes "h", "n" use restricted volume types "hostPath", "nfs")',
    ]);
  });

  test('allows root in a user namespace', async () => {
    const asRoot = { ...secured, securityContext: { ...secured.securityContext, runAsUser: 0 } };
    assert.deepEqual(await verdict('restricted', asRoot), ['runAsUser=0 (pod must not set runAsUser=0)']);
    assert.deepEqual(await verdict('restricted', { ...asRoot, hostUsers: false }), []);
  });

  test('of an old version reads the annotations of that version', async () => {
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    assert.deepEqual(await verdict('old', { ...secured, securityContext: { runAsNonRoot: true } }, annotations), [
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    ]);
  });
});

test('an unmasked proc mount is allowed in a user namespace, but not by older versions', async () => {
  const unmasked = { hostUsers: false, ...withSecurity({ procMount: 'Unmasked' }) };
  assert.deepEqual(await verdict('baseline', unmasked), []);
  assert.deepEqual(await verdict('warned', unmasked), [
    'would violate PodSecurity "baseline:v1.28": procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  ]);
});

test('workloads are accepted with a warning, which those without violations do not get', async () => {
  const path = '/apis/apps/v1/namespaces/baseline/deployments?dryRun=All';
  const deployment = (spec: JsonObject): JsonObject => ({
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
  });
  const answer = await server.request('POST', path, { body: deployment({ containers: [container], hostPID: true }) });
  assert.equal(answer.status, 201);
  assert.deepEqual(warningsIn(answer.headers['warning']), [
    'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  ]);
  const fine = await server.request('POST', path, { body: deployment({ containers: [container] }) });
  assert.deepEqual([fine.status, fine.headers['warning']], [201, undefined]);
});

describe('a namespace', () => {
  const type = 'application/merge-patch+json';

  test('cannot have unknown levels or versions', async () => {
    const body = { metadata: { name: 'n', labels: own({ enforce: 'x', 'warn-version': '1.2' }) } };
    const { status, body: answer } = await server.request('POST', '/api/v1/namespaces', { body });
    assert.equal(status, 422);
    const problems = [
      `metadata.labels[${prefix}enforce]: Invalid value: "x": must be one of privileged, baseline, restricted`,
      `metadata.labels[${prefix}warn-version]: Invalid value: "1.2": must be "latest" or "v1.x"`,
    ];
    assert.equal(answer['message'], `Namespace "n" is invalid: [${problems.join(', ')}]`);
  });

  test('that raises its level gets a warning with the pods that violate it', async () => {
    await makeNamespace('growing', {});
    for (const name of ['b', 'a', 'z']) {
      const body = { metadata: { name }, spec: { containers: [container], hostPID: name !== 'z' } };
      await server.request('POST', '/api/v1/namespaces/growing/pods', { body });
    }
    const relabel = async (labels: Record<string, string>): Promise<string[]> => {
      const body = { metadata: { labels: own(labels) } };
      const { headers } = await server.request('PATCH', '/api/v1/namespaces/growing', { body, type });
      return warningsIn(headers['warning']);
    };
    assert.deepEqual(await relabel({ enforce: 'baseline' }), [
      'existing pods in namespace "growing" violate the new PodSecurity enforce level "baseline:latest"',
      'a (and 1 other pod): host namespaces',
    ]);
    assert.deepEqual(await relabel({ enforce: 'privileged' }), []);
  });
});

test('a pod that violates a newer rule may change in other fields', async () => {
  await makeNamespace('changed', {});
  const pods = '/api/v1/namespaces/changed/pods';
  const body = { metadata: { name: 'p' }, spec: { containers: [container], hostPID: true } };
  await server.request('POST', pods, { body });
  const type = 'application/merge-patch+json';
  const labels = own({ enforce: 'baseline' });
  await server.request('PATCH', '/api/v1/namespaces/changed', { body: { metadata: { labels } }, type });
  const relabelled = await server.request('PATCH', `${pods}/p`, { body: { metadata: { labels: { a: 'b' } } }, type });
  assert.equal(relabelled.status, 200, relabelled.text);
  const json = 'application/json-patch+json';
  const patch = JSON.stringify([{ op: 'replace', path: '/spec/containers/0/image', value: 'other' }]);
  const { body: answer } = await server.request('PATCH', `${pods}/p`, { body: patch, type: json });
  assert.equal(
    answer['message'],
    'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
  );
});
