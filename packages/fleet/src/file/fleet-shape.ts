/** The shape of a fleet: a fleet file with all defaults, and an entry for each member. */
import { parseGoDuration, type JsonObject } from '@flotilla/kube';
import { defaultBehaviour, type NodeShape, type WorkloadBehaviour } from '@flotilla/simulator';
import { memberAccount } from '../member-credentials.ts';
import type { HubFile, MemberFile } from './fleet-schema.ts';

export interface FleetShape {
  readonly hub: HubShape;
  readonly members: readonly MemberShape[];
  /** The smallest file that means this shape: without defaults, with absolute paths. */
  readonly file: JsonObject;
}

export interface HubShape extends Omit<HubFile, 'nodes'> {
  /** Only if its workloads are simulated. */
  readonly nodes: readonly NodeShape[];
  /** How its workloads behave, if they are simulated. */
  readonly workloads: WorkloadBehaviour;
}

export interface MemberShape extends Omit<MemberFile, 'names' | 'heartbeat' | 'nodes' | 'workloads'> {
  readonly name: string;
  readonly context: string;
  /** The agent's identity on the hub. */
  readonly serviceAccount: string;
  readonly heartbeatSeconds: number;
  readonly nodes: readonly NodeShape[];
  readonly workloads: WorkloadBehaviour;
}

const defaultHub: HubShape = {
  context: 'hub',
  simulator: false,
  nodes: [{ name: 'node', count: 1, labels: {}, taints: [] }],
  definitions: [],
  memory: false,
  port: 6443,
  host: '127.0.0.1',
  anonymousAuth: true,
  forceDeleteWaitTime: '15m',
  clusterUnhealthyThreshold: '1m',
  networkingAgentsEnabled: false,
  enableClusterInventoryApis: true,
  enableStagedUpdateRunApis: true,
  enableEvictionApis: true,
  enableResourcePlacement: true,
  resourceSnapshotCreationMinimumInterval: '0s',
  resourceChangesCollectionDuration: '0s',
  updateRunStuckThreshold: '5m',
  requireSameStrategy: false,
  evictionTtl: '24h',
  controllers: '*',
  enableWorkload: false,
  enablePdbs: true,
  enableGuardRail: false,
  whitelistedUsers: [],
  denyModifyMemberClusterLabels: false,
  clusterScopedInConfigMaps: false,
  schedulingHeartbeatTimeout: '5m',
  schedulingHealthTimeout: '5m',
  logLevel: 'warn',
  workloads: defaultBehaviour,
};

const defaultMember: Omit<MemberShape, 'name' | 'context' | 'serviceAccount'> = {
  join: 'itself',
  labels: {},
  annotations: {},
  taints: [],
  heartbeatSeconds: 60,
  agent: 'embedded',
  priorityQueue: false,
  properties: { provider: 'none', prices: {}, costs: true, availableResources: true, namespaces: true },
  nodes: [{ name: 'node', count: 3, labels: {}, taints: [] }],
  workloads: defaultBehaviour,
};

export const defaultMemberCount = 3;

/** Means the definitions of fleet networking, where a shape names definitions. */
export const networkingWord = 'networking';

/** The shape of a fleet of default members. The same as that of a file, without loading its schema; a test compares them. */
export function shapeOfMembers(members: number | readonly string[]): FleetShape {
  const names = typeof members === 'number' ? numberedNames(members) : members;
  return {
    hub: defaultHub,
    members: names.map(defaultMemberShape),
    file: fileOf(members),
  };
}

export function defaultMemberShape(name: string): MemberShape {
  return { ...defaultMember, name, context: name, serviceAccount: memberAccount(name).name };
}

function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `member-${index + 1}`);
}

function fileOf(members: number | readonly string[]): JsonObject {
  if (members === defaultMemberCount) return {};
  if (typeof members !== 'number') return { members: members.map((name) => ({ name })) };
  return { members: members === 0 ? [] : [{ names: `member-{1..${members}}` }] };
}

/** Of a duration in a shape. */
export function milliseconds(duration: string): number {
  return Number(parseGoDuration(duration)) / 1e6;
}
