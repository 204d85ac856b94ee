/** Pod templates with lists of many thousand entries that merge by key and refer to each other. */
import { encodeProtobuf } from '@flotilla/builtins';
import { apply, dryRun, get, keyed, patch, post, put, remove, times, types } from './heavy-request.ts';
import type { HeavyRequest } from './heavy-request.ts';

const path = '/apis/apps/v1/namespaces/default/deployments';
const target = `${path}/heavy`;

type Fields = Record<string, unknown>;

function deployment(container: Fields, pod: Fields = {}): Fields & { apiVersion: string; kind: string } {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'heavy' },
    spec: {
      selector: { matchLabels: { app: 'heavy' } },
      template: {
        metadata: { labels: { app: 'heavy' } },
        spec: { containers: [{ name: 'c', image: 'example.com/i', ...container }], ...pod },
      },
    },
  };
}

function template(container: Fields, pod: Fields = {}): Fields {
  return { spec: { template: { spec: { containers: [{ name: 'c', ...container }], ...pod } } } };
}

const environment = (count: number, value = 'v'): Fields[] => times(count, (index) => ({ name: `E${index}`, value }));
const ports = (count: number): Fields[] => times(count, (index) => ({ name: `p${index}`, containerPort: index + 1 }));
const wide = (): Fields & { apiVersion: string; kind: string } =>
  deployment({ env: environment(6000), ports: ports(6000) });
const stored = { prepare: [post(path, wide)], cleanup: [remove(target)] };
const applied = { prepare: [apply(target, wide)], cleanup: [remove(target)] };
const small = { prepare: [post(path, () => deployment({}))], cleanup: [remove(target)] };

export const workloadRequests: readonly HeavyRequest[] = [
  {
    name: 'create a Deployment of 6,000 env entries and ports',
    ...post(path, wide),
    status: 201,
    cleanup: [remove(target)],
  },
  {
    name: 'create a Deployment of 20,000 env entries and ports in a dry run',
    ...post(path + dryRun, () => deployment({ env: environment(20_000), ports: ports(20_000) })),
    status: 201,
  },
  {
    name: 'create a Deployment of 60,000 env entries in a dry run',
    ...post(path + dryRun, () => deployment({ env: environment(60_000) })),
    status: 201,
  },
  {
    name: 'create a Deployment of 6,000 env entries and ports from YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    accept: types.yaml,
    body: () => Buffer.from(blockYaml(wide())),
    status: 201,
  },
  {
    name: 'create a Deployment of 6,000 env entries and ports from protobuf',
    method: 'POST',
    path: path + dryRun,
    contentType: types.protobuf,
    accept: types.protobuf,
    body: () => encodeProtobuf(wide() as Parameters<typeof encodeProtobuf>[0]),
    status: 201,
  },
  {
    name: 'create a Deployment of 30,000 invalid env entries',
    ...post(path, () => deployment({ env: times(30_000, (index) => ({ name: `=${index}`, value: 'v' })) })),
    status: 422,
  },
  {
    name: 'create a Deployment of 30,000 ports of one name',
    ...post(path, () => deployment({ ports: times(30_000, () => ({ name: 'p', containerPort: 1 })) })),
    status: 422,
  },
  {
    name: 'create a Deployment of 10,000 containers',
    ...post(path + dryRun, () =>
      deployment({}, { containers: times(10_000, (index) => ({ name: `c${index}`, image: 'i' })) }),
    ),
    status: 201,
  },
  {
    name: 'create a Deployment of 10,000 containers of one name',
    ...post(path, () => deployment({}, { containers: times(10_000, () => ({ name: 'c', image: 'i' })) })),
    status: 422,
  },
  {
    name: 'create a Deployment of 10,000 volumes and mounts',
    ...post(path + dryRun, () =>
      deployment({ volumeMounts: times(10_000, mount) }, { volumes: times(10_000, volume) }),
    ),
    status: 201,
  },
  {
    name: 'create a Deployment of 20,000 mounts of volumes that are not there',
    ...post(path, () => deployment({ volumeMounts: times(20_000, mount) })),
    status: 422,
  },
  {
    name: 'create a Deployment of 20,000 tolerations',
    ...post(path + dryRun, () =>
      deployment({}, { tolerations: times(20_000, (index) => ({ key: `k${index}`, operator: 'Exists' })) }),
    ),
    status: 201,
  },
  {
    name: 'create a Deployment with 20,000 terms of affinity',
    ...post(path + dryRun, () => deployment({}, { affinity: { nodeAffinity: { ...affinity(20_000) } } })),
    status: 201,
  },
  {
    name: 'create a Deployment with 10,000 spread constraints',
    ...post(path + dryRun, () =>
      deployment(
        {},
        {
          topologySpreadConstraints: times(10_000, (index) => ({
            maxSkew: 1,
            topologyKey: `k${index}`,
            whenUnsatisfiable: 'DoNotSchedule',
          })),
        },
      ),
    ),
    status: 201,
  },
  {
    name: 'create a Deployment that selects by 30,000 labels',
    ...post(path + dryRun, () => ({
      ...deployment({}),
      spec: {
        selector: { matchLabels: keyed(30_000, () => 'v') },
        template: { metadata: { labels: keyed(30_000, () => 'v') }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    })),
    status: 201,
  },
  {
    name: 'create a Pod of 20,000 extended resources',
    ...post(`/api/v1/namespaces/default/pods${dryRun}`, () => ({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'heavy' },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { limits: keyed(20_000, () => '1', 'example.com/r') } }],
      },
    })),
    status: 201,
  },
  {
    name: 'create a StatefulSet of 5,000 claim templates',
    ...post(`/apis/apps/v1/namespaces/default/statefulsets${dryRun}`, () => ({
      ...deployment({}),
      kind: 'StatefulSet',
      spec: {
        ...(deployment({})['spec'] as Fields),
        volumeClaimTemplates: times(5000, (index) => ({
          metadata: { name: `v${index}` },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        })),
      },
    })),
    status: 201,
  },
  {
    name: 'replace 6,000 env entries and ports by themselves',
    ...put(target, wide),
    ...stored,
    status: 200,
  },
  {
    name: 'replace 6,000 env entries and ports by others',
    ...put(target, () => deployment({ env: environment(6000, 'w') })),
    ...stored,
    status: 200,
  },
  {
    name: 'merge 20,000 env entries into none by a strategic patch',
    ...patch(target + dryRun, 'strategic', () => template({ env: environment(20_000) })),
    ...small,
    status: 200,
  },
  {
    name: 'merge 20,000 env entries into 6,000 by a strategic patch',
    ...patch(target + dryRun, 'strategic', () => template({ env: environment(20_000, 'w') })),
    ...stored,
    status: 200,
  },
  {
    name: 'order 20,000 env entries by a strategic patch',
    ...patch(target + dryRun, 'strategic', () =>
      template({
        env: environment(20_000, 'w').reverse(),
        '$setElementOrder/env': times(20_000, (index) => ({ name: `E${index}` })).reverse(),
      }),
    ),
    ...stored,
    status: 200,
  },
  {
    name: 'refuse an order of 20,000 env entries in a strategic patch',
    ...patch(target, 'strategic', () =>
      template({ env: environment(20_000, 'w'), '$setElementOrder/env': environment(20_000).reverse() }),
    ),
    ...stored,
    status: 500,
  },
  {
    name: 'delete 6,000 env entries by a strategic patch',
    ...patch(target, 'strategic', () =>
      template({ env: times(6000, (index) => ({ name: `E${index}`, $patch: 'delete' })) }),
    ),
    ...stored,
    status: 200,
  },
  {
    name: 'remove 6,000 env entries from the front by a JSON patch',
    ...patch(target, 'jsonPatch', () =>
      times(6000, () => ({ op: 'remove', path: '/spec/template/spec/containers/0/env/0' })),
    ),
    ...stored,
    status: 200,
  },
  {
    name: 'apply a Deployment of 6,000 env entries and ports',
    ...apply(target, wide),
    status: 201,
    cleanup: [remove(target)],
  },
  {
    name: 'apply a Deployment of 20,000 env entries and ports',
    ...apply(target, () => deployment({ env: environment(20_000), ports: ports(20_000) }), 'one', '&dryRun=All'),
    status: 201,
  },
  { name: 'apply 6,000 env entries and ports again', ...apply(target, wide), ...applied, status: 200 },
  {
    name: 'apply other values to 6,000 env entries',
    ...apply(target, () => deployment({ env: environment(6000, 'w') })),
    ...applied,
    status: 200,
  },
  {
    name: 'apply 6,000 conflicts in a list',
    ...apply(target, () => deployment({ env: environment(6000, 'w') }), 'two'),
    ...applied,
    status: 409,
  },
  {
    name: 'apply 20,000 env entries in another order',
    ...apply(target, () => deployment({ env: environment(20_000).reverse() }), 'two', '&force=true&dryRun=All'),
    ...applied,
    status: 200,
  },
  {
    name: 'apply 20,000 env entries of one name',
    ...apply(target, () => deployment({ env: times(20_000, () => ({ name: 'E', value: 'v' })) })),
    status: 500,
  },
  {
    name: 'update 6,000 env entries that were applied',
    ...patch(target, 'strategic', () => template({ env: environment(6000, 'w') })),
    ...applied,
    status: 200,
  },
  { name: 'read a Deployment of 6,000 env entries as a Table', ...get(target, types.table), ...stored, status: 200 },
  { name: 'read a Deployment of 6,000 env entries as YAML', ...get(target, types.yaml), ...stored, status: 200 },
  {
    name: 'read a Deployment of 6,000 env entries as protobuf',
    ...get(target, types.protobuf),
    ...stored,
    status: 200,
  },
  {
    name: 'read a Deployment of 5,000 containers as a Table',
    ...get(target, types.table),
    prepare: [
      post(path, () => deployment({}, { containers: times(5000, (index) => ({ name: `c${index}`, image: 'i' })) })),
    ],
    status: 200,
    cleanup: [remove(target)],
  },
  {
    name: 'patch 10,000 conditions into the status of a Deployment',
    ...patch(`${target}/status${dryRun}`, 'strategic', () => ({
      status: { conditions: times(10_000, (index) => ({ type: `T${index}`, status: 'True' })) },
    })),
    ...small,
    status: 200,
  },
];

function mount(index: number): Fields {
  return { name: `v${index}`, mountPath: `/v/${index}` };
}

function volume(index: number): Fields {
  return { name: `v${index}`, emptyDir: {} };
}

function affinity(count: number): Fields {
  return {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: times(count, (index) => ({
        matchExpressions: [{ key: `k${index}`, operator: 'In', values: ['v'] }],
      })),
    },
  };
}

/** As kubectl users write it: one entry on each line. */
function blockYaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => `${indent}- ${blockYaml(item, `${indent}  `).trimStart()}`).join('');
  }
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\n`;
  const lines = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const inner = typeof item === 'object' ? `\n${blockYaml(item, `${indent}  `)}` : blockYaml(item);
    return `${indent}${key}:${inner}`;
  });
  return lines.join('');
}
