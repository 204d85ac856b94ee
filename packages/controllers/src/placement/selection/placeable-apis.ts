/** Which kinds can be placed: all but a list, or only a list. */
import { clusterApi, networkingApi, ocmGroup, placementApi } from '@flotilla/api';
import { apiVersionOf, type GroupVersionKind } from '@flotilla/kube';

/** Sets of groups, `group/version`, `group/Kind` and `group/version/Kind`. */
interface ApiList {
  readonly groups: Set<string>;
  readonly versions: Set<string>;
  readonly kinds: Set<string>;
  readonly versionedKinds: Set<string>;
}

/** The fleet's own kinds, and those of OCM's hubs. Envelopes are for users, and ClusterClaims for members, so that they can be placed. */
const fleetKinds: Readonly<Record<string, readonly string[]>> = {
  [networkingApi.group]: ['ServiceImport', 'TrafficManagerProfile', 'TrafficManagerBackend'],
  [ocmGroup]: [
    'ManagedCluster',
    'ManagedClusterSet',
    'ManagedClusterSetBinding',
    'Placement',
    'PlacementDecision',
    'AddOnPlacementScore',
  ],
  [placementApi.group]: [
    'ClusterResourcePlacement',
    'ResourcePlacement',
    'ClusterResourceBinding',
    'ResourceBinding',
    'ClusterResourceSnapshot',
    'ResourceSnapshot',
    'ClusterSchedulingPolicySnapshot',
    'SchedulingPolicySnapshot',
    'Work',
    'ClusterStagedUpdateRun',
    'ClusterStagedUpdateStrategy',
    'ClusterApprovalRequest',
    'StagedUpdateRun',
    'StagedUpdateStrategy',
    'ApprovalRequest',
    'ClusterResourcePlacementEviction',
    'ClusterResourcePlacementDisruptionBudget',
    'ClusterResourceOverride',
    'ClusterResourceOverrideSnapshot',
    'ResourceOverride',
    'ResourceOverrideSnapshot',
    'ClusterResourcePlacementStatus',
  ],
};

/** Reports of what a cluster does, which mean nothing on another one. */
const localGroups = [clusterApi.group, 'events.k8s.io', 'coordination.k8s.io', 'metrics.k8s.io'];
const localCoreKinds = ['Pod', 'Node'];

export interface PlaceableApisOptions {
  /** Never placed, beside the defaults: KubeFleet's `--skipped-propagating-apis`. */
  readonly skipped?: string | undefined;
  /** The only ones that are placed; there are no defaults then. KubeFleet's `--allowed-propagating-apis`. */
  readonly allowed?: string | undefined;
}

export class PlaceableApis {
  readonly #list: ApiList;
  readonly #isAllowed: boolean;

  /** Throws a RangeError for a list that cannot be read, and for two lists. */
  constructor({ skipped = '', allowed = '' }: PlaceableApisOptions = {}) {
    if (skipped !== '' && allowed !== '') {
      throw new RangeError('skipped and allowed APIs exclude each other; choose one');
    }
    this.#isAllowed = allowed !== '';
    this.#list = this.#isAllowed ? emptyList() : defaultList();
    addApis(this.#list, this.#isAllowed ? allowed : skipped);
  }

  includes(gvk: GroupVersionKind): boolean {
    return isListed(this.#list, gvk) === this.#isAllowed;
  }

  /**
   * Whether objects of the kind are placed with their namespace. Events are not: KubeFleet blocks those of the core group as a side
   * effect of blocking events.k8s.io.
   */
  includesWithNamespace(gvk: GroupVersionKind): boolean {
    if (gvk.group === '' && gvk.kind === 'Event') return this.#isAllowed && this.includes(gvk);
    return this.includes(gvk);
  }
}

function emptyList(): ApiList {
  return { groups: new Set(), versions: new Set(), kinds: new Set(), versionedKinds: new Set() };
}

function defaultList(): ApiList {
  const list = emptyList();
  for (const group of localGroups) list.groups.add(group);
  for (const [group, kinds] of Object.entries(fleetKinds)) for (const kind of kinds) list.kinds.add(`${group}/${kind}`);
  for (const kind of localCoreKinds) list.versionedKinds.add(`/v1/${kind}`);
  return list;
}

function isListed({ groups, versions, kinds, versionedKinds }: ApiList, gvk: GroupVersionKind): boolean {
  const { group, version, kind } = gvk;
  return (
    groups.has(group) ||
    versions.has(apiVersionOf(gvk)) ||
    kinds.has(`${group}/${kind}`) ||
    versionedKinds.has(`${group}/${version}/${kind}`)
  );
}

/**
 * Reads KubeFleet's grammar: tokens between semicolons, each `group`, `group/version` or `group/version/Kind[,Kind…]`; of the core
 * group, `v1/Kind[,Kind…]`.
 */
function addApis(list: ApiList, text: string): void {
  if (text === '') return;
  for (const token of text.split(';')) {
    const parts = token.split('/');
    const [first = '', second = '', kinds = ''] = parts;
    if (parts.length === 1) list.groups.add(first);
    else if (parts.length === 2 && first.startsWith('v1')) addKinds(list, '/v1', second);
    else if (parts.length === 2) list.versions.add(token);
    else if (parts.length === 3) addKinds(list, `${first}/${second}`, kinds);
    else throw new RangeError(`"${token}" is not an API; write GROUP, GROUP/VERSION or GROUP/VERSION/KIND,KIND`);
  }
}

function addKinds(list: ApiList, version: string, kinds: string): void {
  for (const kind of kinds.split(',')) list.versionedKinds.add(`${version}/${kind}`);
}
