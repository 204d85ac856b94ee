import { ApiError } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planServiceCreate, planServiceUpdate, type AllocationPlan } from './service-allocation.ts';
import type { ServiceFields, ServiceSpec } from './service-fields.ts';
import { claimsOf, ServiceNetwork } from './service-network.ts';

const nothing = { ips: [], ports: [] };

test('a new service takes an address of the upper band, and so does the next', () => {
  const network = new ServiceNetwork();
  const first = aService({ ports: [{ port: 80 }] });
  take(network, planServiceCreate(first, { network, random: () => 0, dryRun: false }));
  const second = aService({ ports: [{ port: 80 }] });
  take(network, planServiceCreate(second, { network, random: () => 0, dryRun: false }));
  assert.deepEqual([first.spec.clusterIP, second.spec.clusterIP], ['10.0.0.17', '10.0.0.18']);
});

test('the lower band is used when the upper one is full, and then allocation fails', () => {
  const network = new ServiceNetwork();
  for (let last = 17; last <= 254; last++) network.ips.take(`10.0.0.${last}`);
  const service = aService({ ports: [{ port: 80 }] });
  const plan = planServiceCreate(service, { network, random: () => 0, dryRun: false });
  assert.deepEqual(plan.take.ips, ['10.0.0.1']);

  for (let last = 1; last <= 16; last++) network.ips.take(`10.0.0.${last}`);
  const refusal = refusalOf(() =>
    planServiceCreate(aService({ ports: [{ port: 80 }] }), { network, random, dryRun: false }),
  );
  assert.equal(refusal, 'Internal error occurred: failed to allocate a serviceIP for Service "web": range is full');
});

test('takes a port of the upper band for each port that needs one', () => {
  const network = new ServiceNetwork();
  const service = aService({ type: 'NodePort', ports: [port('a', 80), port('b', 81)] });
  const plan = planServiceCreate(service, { network, random: () => 0, dryRun: false });
  assert.deepEqual(plan.take.ports, [30086, 30087]);
});

test('ports with the same number share a node port', () => {
  const network = new ServiceNetwork();
  const udp = { ...port('u', 53), protocol: 'UDP' };
  const service = aService({ type: 'NodePort', ports: [port('t', 53), udp] });
  const plan = planServiceCreate(service, { network, random, dryRun: false });
  assert.equal(plan.take.ports.length, 1);
  assert.equal(service.spec.ports?.[0]?.nodePort, service.spec.ports?.[1]?.nodePort);
});

test('refuses a port that another service holds, with its path', () => {
  const network = new ServiceNetwork();
  network.ports.take(30080);
  const service = aService({ type: 'NodePort', ports: [{ ...port('a', 80), nodePort: 30080 }] });
  const refusal = refusalOf(() => planServiceCreate(service, { network, random, dryRun: false }));
  assert.match(refusal, /spec\.ports\[0\]\.nodePort: Invalid value: 30080: provided port is already allocated$/);
});

test('planning takes nothing by itself', () => {
  const network = new ServiceNetwork();
  const service = () => aService({ type: 'NodePort', ports: [{ ...port('a', 80), nodePort: 30080 }] });
  const options = { network, random, dryRun: false };
  assert.deepEqual(planServiceCreate(service(), options), planServiceCreate(service(), options));
});

test('a dry run shows placeholders and allocates nothing', () => {
  const network = new ServiceNetwork();
  const service = aService({ type: 'NodePort', ports: [port('a', 80), port('b', 81)] });
  const plan = planServiceCreate(service, { network, random, dryRun: true });
  assert.deepEqual(plan, { take: nothing, release: nothing });
  assert.equal(service.spec.clusterIP, '10.0.0.0');
  assert.deepEqual(
    service.spec.ports?.map(({ nodePort }) => nodePort),
    [32769, 32770],
  );
});

test('a dry run checks the range of an address, but not whether it is free', () => {
  const network = new ServiceNetwork();
  network.ips.take('10.0.0.9');
  const dryRun = (clusterIP: string) => () =>
    planServiceCreate(aService({ clusterIP, ports: [{ port: 80 }] }), { network, random, dryRun: true });
  assert.doesNotThrow(dryRun('10.0.0.9'));
  const detail = 'the provided IP (10.1.0.9) is not in the valid range. The range of valid IPs is 10.0.0.0/24';
  assert.ok(refusalOf(dryRun('10.1.0.9')).endsWith(detail));
});

test('an update to ExternalName releases everything', () => {
  const { network, stored } = running({ type: 'NodePort', ports: [port('a', 80)] });
  const service = aService({ ...structuredClone(stored.spec), type: 'ExternalName', externalName: 'a.example' });
  const plan = planServiceUpdate(service, stored, { network, random, dryRun: false });
  assert.deepEqual(plan, { take: nothing, release: claimsOf(stored.spec) });
});

test('an update to another node port takes the new one and releases the old one', () => {
  const { network, stored } = running({ type: 'NodePort', ports: [{ ...port('a', 80), nodePort: 30100 }] });
  const service = aService({ type: 'NodePort', ports: [{ ...port('a', 80), nodePort: 30200 }] });
  const plan = planServiceUpdate(service, stored, { network, random, dryRun: false });
  assert.deepEqual(plan.take.ports, [30200]);
  assert.deepEqual(plan.release.ports, [30100]);
  assert.equal(service.spec.clusterIP, stored.spec.clusterIP);
});

test('the Local policy has a health check port, any other policy does not', () => {
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [port('a', 80)] };
  const { network, stored } = running({ ...local, externalTrafficPolicy: 'Cluster' });
  const service = aService({
    ...structuredClone(stored.spec),
    ...local,
    ports: structuredClone(stored.spec.ports ?? []),
  });
  const plan = planServiceUpdate(service, stored, { network, random, dryRun: false });
  assert.deepEqual(plan.take.ports, [service.spec.healthCheckNodePort]);
  take(network, plan);

  const back = aService({ ...structuredClone(service.spec), externalTrafficPolicy: 'Cluster' });
  const release = planServiceUpdate(back, service, { network, random, dryRun: false }).release;
  assert.deepEqual(release.ports, [service.spec.healthCheckNodePort]);
});

test('allocates released values again', () => {
  const { network, stored } = running({ clusterIP: '10.0.0.50', ports: [{ port: 80 }] });
  assert.equal(network.ips.refusal('10.0.0.50'), 'provided IP is already allocated');
  network.release(claimsOf(stored.spec));
  assert.equal(network.ips.refusal('10.0.0.50'), undefined);
});

function aService(spec: ServiceSpec): ServiceFields {
  return { metadata: { name: 'web', namespace: 'default' }, spec: { type: 'ClusterIP', ...spec } };
}

function port(name: string, number: number) {
  return { name, port: number, protocol: 'TCP' };
}

function running(spec: ServiceSpec): { network: ServiceNetwork; stored: ServiceFields } {
  const network = new ServiceNetwork();
  const stored = aService(spec);
  take(network, planServiceCreate(stored, { network, random, dryRun: false }));
  return { network, stored };
}

function take(network: ServiceNetwork, plan: AllocationPlan): void {
  network.take(plan.take);
}

function random(): number {
  return 0.5;
}

function refusalOf(plan: () => unknown): string {
  try {
    plan();
  } catch (error) {
    if (error instanceof ApiError) return error.status.message ?? '';
    throw error;
  }
  assert.fail('nothing was refused');
}
