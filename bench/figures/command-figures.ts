/** Commands that users wait for, from starting the process to its exit. Medians. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  clusterFamily,
  latestLabel,
  memberClusters,
  numberOfClustersAnnotation,
  placementLabel,
  policyIndexLabel,
  hubDefinitions,
  type Placement,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { installDefinitions } from '@flotilla/fleet';
import { apiVersionOf, formatTime } from '@flotilla/kube';
import type { BenchContext } from '../bench-context.ts';
import { clientOf } from '../measured/client-of.ts';
import { command, startFlotilla } from '../measured/measured-server.ts';
import { machineCpuMs, wereCoresFull } from '../measured/process-usage.ts';
import type { Measurement } from '../results/measurement.ts';
import { median } from '../results/percentiles.ts';

const runs = 9;

export async function helpFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress('flotilla --help');
  const measured = await measureCommand(['--help']);
  return [{ figure: 'help', what: 'flotilla --help', unit: 'ms', ...measured, bar: { atMost: 100 } }];
}

const clusterCount = 1000;

/** The hub's objects, without a hub that would change them. */
export async function whyFigure(context: BenchContext): Promise<Measurement[]> {
  context.progress(`flotilla why over ${clusterCount.toLocaleString('en')} clusters`);
  const server = await startFlotilla(context.newDirectory());
  const client = clientOf(server);
  try {
    await installDefinitions(client, await hubDefinitions());
    await createClusters(client);
    await createPlacement(client);
    const measured = await measureCommand(['why', 'web', '--kubeconfig', server.kubeconfig]);
    const what = `flotilla why, ${clusterCount.toLocaleString('en')} clusters`;
    return [{ figure: 'why', what, unit: 'ms', ...measured, bar: { atMost: 200 } }];
  } finally {
    await client.close();
    await server.stop();
  }
}

async function measureCommand(args: readonly string[]): Promise<Pick<Measurement, 'value' | 'isCrowded'>> {
  const times: number[] = [];
  const [begun, machine] = [performance.now(), machineCpuMs()];
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    await promisify(execFile)(command, [...args], { maxBuffer: 64 * 1024 * 1024 });
    times.push(performance.now() - begin);
  }
  return { value: median(times), isCrowded: wereCoresFull(machineCpuMs() - machine, performance.now() - begun) };
}

/** In 12 regions; every tenth is tainted, every fiftieth never joined. Objects of about 2 KB. */
async function createClusters(client: Client): Promise<void> {
  const now = formatTime(new Date());
  const condition = (type: string) => ({
    type,
    status: 'True' as const,
    reason: `${type}Successfully`,
    message: '',
    lastTransitionTime: now,
  });
  const resources = { cpu: '16', memory: '64Gi' };
  await inBatches(clusterCount, async (index) => {
    const name = `cluster-${String(index).padStart(4, '0')}`;
    const spec = {
      identity: { kind: 'ServiceAccount', name, namespace: 'fleet-system', apiGroup: '' },
      heartbeatPeriodSeconds: 60,
      ...(index % 10 === 0 && { taints: [{ key: 'maintenance', effect: 'NoSchedule' as const }] }),
    };
    const metadata = { name, labels: { region: `region-${index % 12}`, env: index % 3 === 0 ? 'test' : 'prod' } };
    const cluster = { apiVersion: apiVersionOf(memberClusters), kind: memberClusters.kind, metadata, spec };
    const created = await client.create(memberClusters, cluster);
    if (index % 50 === 0) return;
    const agentStatus = [
      {
        type: 'MemberAgent' as const,
        conditions: [condition('Joined'), condition('Healthy')],
        lastReceivedHeartbeat: now,
      },
    ];
    const status = {
      agentStatus,
      conditions: [condition('ReadyToJoin'), condition('Joined')],
      properties: { 'kubernetes-fleet.io/node-count': { value: String(index % 9), observationTime: now } },
      resourceUsage: { capacity: resources, allocatable: resources, available: resources, observationTime: now },
    };
    await client.update(memberClusters, { ...created, status }, { subresource: 'status' });
  });
}

/** A server refuses a thousand requests at once. */
async function inBatches(count: number, create: (index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, index) => create(from + index)));
  }
}

async function createPlacement(client: Client): Promise<void> {
  const { placement, policySnapshot } = clusterFamily;
  const policy = {
    placementType: 'PickN' as const,
    numberOfClusters: 100,
    affinity: {
      clusterAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 20, preference: { labelSelector: { matchLabels: { env: 'prod' } } } },
        ],
      },
    },
    topologySpreadConstraints: [{ topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const }],
  };
  const resourceSelectors = [{ group: '', version: 'v1', kind: 'Namespace', name: 'web' }];
  await client.create(placement, {
    apiVersion: apiVersionOf(placement),
    kind: placement.kind,
    metadata: { name: 'web' },
    spec: { resourceSelectors, policy },
  } as unknown as Placement);
  const { numberOfClusters, ...recorded } = policy;
  const snapshot = {
    apiVersion: apiVersionOf(policySnapshot),
    kind: policySnapshot.kind,
    metadata: {
      name: 'web-0',
      labels: { [placementLabel]: 'web', [latestLabel]: 'true', [policyIndexLabel]: '0' },
      annotations: { [numberOfClustersAnnotation]: String(numberOfClusters) },
    },
    spec: { policy: recorded, policyHash: Buffer.from('0').toString('base64') },
  };
  await client.create(policySnapshot, snapshot);
}
