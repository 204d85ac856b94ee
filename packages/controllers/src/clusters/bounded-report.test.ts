import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  conditionOf,
  type InternalMemberClusterStatus,
  type MemberClusterStatus,
  type PropertyValue,
  reportLimits as limits,
} from '@flotilla/api';
import { boundedReport } from './bounded-report.ts';
import { expectedAgents, mirroredStatus } from './mirrored-status.ts';
import { statusWrites } from './status-write.ts';
import { aCondition, aMember, anAgent, anInternal, now } from './member.testing.ts';

const observationTime = '2026-01-01T00:00:00Z';

function properties(count: number, nameLength = 20, value = 'v'): Record<string, PropertyValue> {
  const name = (index: number): string => `p${index}`.padEnd(nameLength, '-');
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), { value, observationTime }]));
}

describe('a report', () => {
  test('within all limits is kept as it is, and not copied', () => {
    const reported: InternalMemberClusterStatus = {
      properties: properties(limits.properties),
      namespaces: { shop: 'w' },
      agentStatus: [anAgent('True')],
      conditions: [aCondition('A', 'True')],
    };
    const { status, cuts } = boundedReport(reported);
    assert.deepEqual(cuts, []);
    assert.equal(status.properties, reported.properties);
    assert.equal(status.namespaces, reported.namespaces);
    assert.equal(status.agentStatus, reported.agentStatus);
    assert.equal(status.conditions, reported.conditions);
  });

  test('is cut in every part, and lists what is missing', () => {
    const many = Array.from({ length: 200 }, (_, index) => aCondition(`C${index}`, 'True'));
    const agent = anAgent('True');
    const amounts = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`r${index}`, 1]));
    const { status, cuts } = boundedReport({
      properties: properties(30_000),
      namespaces: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`n${index}`, ''])),
      resourceUsage: { capacity: amounts, allocatable: amounts, available: amounts },
      agentStatus: [{ ...agent, conditions: many }, ...Array.from({ length: 20 }, () => agent)],
      conditions: many,
    });
    assert.deepEqual(cuts, [
      '29000 of 30000 properties',
      '4000 of 5000 namespaces',
      '36 of 100 resources in capacity',
      '36 of 100 resources in allocatable',
      '36 of 100 resources in available',
      '13 of 21 agents',
      '184 of 200 conditions of agent MemberAgent',
      '136 of 200 conditions',
    ]);
    assert.equal(Object.keys(status.properties ?? {}).length, limits.properties);
    assert.equal(status.agentStatus?.length, limits.agents);
  });

  test('has no long texts: names, values, amounts and times are dropped, messages are cut', () => {
    const long = 'x'.repeat(2000);
    const late = `2026-01-01T00:00:00.${'0'.repeat(2000)}Z`;
    const { status, cuts } = boundedReport({
      properties: {
        ok: { value: 'v', observationTime },
        [long]: { value: 'v', observationTime },
        value: { value: long, observationTime },
        time: { value: 'v', observationTime: late },
        '__proto__ ': { value: 'v', observationTime },
      },
      resourceUsage: { capacity: { cpu: '1', memory: `0${'0'.repeat(100)}` }, observationTime: late },
      agentStatus: [{ ...anAgent('True'), lastReceivedHeartbeat: late }],
      conditions: [aCondition('A', 'True', { message: long }), aCondition('B', 'True', { reason: long })],
    });
    assert.deepEqual(Object.keys(status.properties ?? {}), ['ok', '__proto__ ']);
    assert.deepEqual(status.resourceUsage, { capacity: { cpu: '1' } });
    assert.deepEqual(status.agentStatus, []);
    assert.equal(status.conditions?.[0]?.message, `${'x'.repeat(512)}…`);
    assert.deepEqual(cuts.slice(-2), ['1 of 2 conditions', 'the ends of messages in conditions']);
  });

  test('may have the certificates of the member, which are longer than other values', () => {
    const name = 'k8s.io/cluster-certificate-authority-data';
    const { cuts } = boundedReport({ properties: { [name]: { value: 'x'.repeat(20_000), observationTime } } });
    assert.deepEqual(cuts, []);
  });

  test('counts encoded bytes, so that escapes do not multiply texts', () => {
    const { status } = boundedReport({ properties: properties(1000, 50, '\u0000'.repeat(160)) });
    assert.ok(JSON.stringify(status).length < limits.propertiesBytes * 1.5);
  });
});

describe("a MemberCluster's status", () => {
  function mirrored(reported: InternalMemberClusterStatus, before?: MemberClusterStatus): MemberClusterStatus {
    return mirroredStatus(aMember({}, before), anInternal(reported), expectedAgents(false), now);
  }

  /** A report at every limit. */
  function largest(): InternalMemberClusterStatus {
    const text = (bytes: number): string => 'x'.repeat(bytes - 2);
    const condition = (index: number) =>
      aCondition(`t${index}`.padEnd(300, 'x'), 'True', { reason: text(210), message: text(limits.messageBytes) });
    const conditions = (length: number) => Array.from({ length }, (_, index) => condition(index));
    const map = <T>(length: number, nameLength: number, value: T): Record<string, T> =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`.padEnd(nameLength, 'x'), value]));
    const amounts = map(limits.resources, 314, text(limits.amountBytes));
    return {
      properties: map(limits.properties, 180, { value: text(12), observationTime }),
      namespaces: map(limits.namespaces, 63, text(255)),
      resourceUsage: { capacity: amounts, allocatable: amounts, available: amounts, observationTime },
      agentStatus: Array.from({ length: limits.agents }, () => ({
        ...anAgent('True'),
        conditions: conditions(limits.agentConditions),
      })),
      conditions: conditions(limits.conditions),
    };
  }

  test('fits into the size limit of a server, whatever is reported', () => {
    const status = mirrored(largest());
    const bytes = Buffer.byteLength(JSON.stringify(status));
    // managedFields have every key once more.
    const keys = Buffer.byteLength(JSON.stringify(keysIn(status)));
    assert.ok(bytes > 800_000, `only ${bytes} bytes were tried`);
    assert.ok(bytes + keys < 1.5 * 1024 * 1024, `${bytes} and ${keys} bytes`);
  });

  test('has the condition StatusTrimmed only while something is cut', () => {
    const cut = mirrored({ properties: properties(1001), agentStatus: [anAgent('True')] });
    const { message, ...condition } = conditionOf(cut.conditions, 'StatusTrimmed') ?? {};
    assert.equal(message, 'The member reports more than the hub keeps. Left out: 1 of 1001 properties');
    assert.deepEqual(condition, {
      type: 'StatusTrimmed',
      status: 'True',
      reason: 'Oversized',
      observedGeneration: 2,
      lastTransitionTime: '2026-01-01T12:00:00Z',
    });
    const whole = mirrored({ properties: properties(3), agentStatus: [anAgent('True')] }, cut);
    assert.equal(conditionOf(whole.conditions, 'StatusTrimmed'), undefined);
  });

  test('ignores StatusTrimmed from the member', () => {
    const status = mirrored({ conditions: [aCondition('StatusTrimmed', 'True')] });
    assert.equal(conditionOf(status.conditions, 'StatusTrimmed'), undefined);
  });

  test('is written as a patch of what changed: that of a heartbeat has no property', () => {
    const report = { properties: properties(1000), agentStatus: [anAgent('True')] };
    const cluster = aMember({}, mirrored(report));
    const agentStatus = [{ ...anAgent('True'), lastReceivedHeartbeat: '2026-01-01T12:00:00Z' }];
    const [write] = statusWrites(cluster, mirrored({ ...report, agentStatus }, cluster.status));
    assert.equal(write?.verb, 'patch');
    assert.deepEqual(Object.keys((write?.verb === 'patch' && write.patch['status']) || {}), ['agentStatus']);
    assert.deepEqual(statusWrites(cluster, mirrored(report, cluster.status)), []);
  });

  test('that is too large already is replaced as a whole', () => {
    const cluster = aMember({ labels: { a: 'b' } }, { properties: properties(30_000) });
    const status = mirrored({ properties: properties(3) }, cluster.status);
    const [write] = statusWrites(cluster, status);
    assert.deepEqual(write?.verb === 'update' && write.object, {
      apiVersion: cluster.apiVersion,
      kind: cluster.kind,
      metadata: { name: 'sea', uid: 'u1', resourceVersion: '7' },
      status,
    });
  });
});

/** Approximates the managedFields of a value. */
function keysIn(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`f:${key}`, { '.': {}, ...keysIn(inner) }]));
}
