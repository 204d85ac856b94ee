/** The rights of the hub's controllers on a server of ours, where they are not administrators. */
import { clusterApi, families, inventoryApi, ocmGroup, placementApi, type PlacementFamily } from '@flotilla/api';
import { rbacGroup, type PolicyRule } from '@flotilla/kube';
import { memberRules } from './clusters/member-access.ts';

const read = ['get', 'list', 'watch'];

/** Some servers ask for the right to finalizers of an owner whose deletion an owner reference blocks. */
function placementRules(family: PlacementFamily): PolicyRule[] {
  const { placement, policySnapshot, resourceSnapshot, updateRun, approvalRequest } = family;
  const apiGroups = [placementApi.group];
  const snapshots = [policySnapshot.plural, resourceSnapshot.plural];
  return [
    { apiGroups, resources: [placement.plural], verbs: ['patch'] },
    { apiGroups, resources: [`${placement.plural}/status`], verbs: ['patch'] },
    { apiGroups, resources: [`${placement.plural}/finalizers`], verbs: ['update'] },
    { apiGroups, resources: snapshots, verbs: ['create', 'patch', 'delete'] },
    { apiGroups, resources: [`${policySnapshot.plural}/status`], verbs: ['update'] },
    { apiGroups, resources: [updateRun.plural, `${updateRun.plural}/status`], verbs: ['patch'] },
    { apiGroups, resources: [approvalRequest.plural], verbs: ['create', 'delete'] },
    { apiGroups, resources: [`${approvalRequest.plural}/status`], verbs: ['patch'] },
  ];
}

/** Admission asks for the right to accept a cluster, and to add one to a set. */
const ocmRules: readonly PolicyRule[] = [
  { apiGroups: [ocmGroup], resources: ['managedclusters'], verbs: ['create', 'update', 'delete'] },
  { apiGroups: [ocmGroup], resources: ['managedclusters/status'], verbs: ['update'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  { apiGroups: [ocmGroup], resources: ['managedclustersets'], verbs: ['create', 'update'] },
  {
    apiGroups: [ocmGroup],
    resources: ['managedclustersets/status', 'managedclustersetbindings/status'],
    verbs: ['update'],
  },
  { apiGroups: [ocmGroup], resources: ['managedclustersets/join'], verbs: ['create'] },
  { apiGroups: [ocmGroup], resources: ['placements/status', 'placementdecisions/status'], verbs: ['patch'] },
  { apiGroups: [ocmGroup], resources: ['placements/finalizers'], verbs: ['update'] },
  { apiGroups: [ocmGroup], resources: ['placementdecisions'], verbs: ['create', 'patch', 'delete'] },
  { apiGroups: ['register.open-cluster-management.io'], resources: ['managedclusters/accept'], verbs: ['update'] },
];

/** RBAC forbids granting rights one lacks, so this role includes every rule of a member. */
export function hubRules(hasNetworkingAgents: boolean): readonly PolicyRule[] {
  return [
    // Users place objects of any kind. The other rules are for writes.
    { apiGroups: ['*'], resources: ['*'], verbs: read },
    { apiGroups: [clusterApi.group], resources: ['memberclusters'], verbs: ['update', 'patch'] },
    { apiGroups: [clusterApi.group], resources: ['memberclusters/status'], verbs: ['update', 'patch'] },
    { apiGroups: [clusterApi.group], resources: ['internalmemberclusters'], verbs: ['create', 'patch'] },
    { apiGroups: [placementApi.group], resources: ['works'], verbs: ['create', 'update', 'patch', 'delete'] },
    {
      apiGroups: [placementApi.group],
      resources: ['clusterresourceoverrides', 'resourceoverrides'],
      verbs: ['patch'],
    },
    {
      apiGroups: [placementApi.group],
      resources: ['clusterresourceoverridesnapshots', 'resourceoverridesnapshots'],
      verbs: ['create', 'patch', 'delete'],
    },
    {
      apiGroups: [placementApi.group],
      resources: ['clusterresourcebindings', 'resourcebindings'],
      verbs: ['create', 'patch', 'delete'],
    },
    {
      apiGroups: [placementApi.group],
      resources: ['clusterresourcebindings/status', 'resourcebindings/status'],
      verbs: ['update', 'patch'],
    },
    ...families.flatMap(placementRules),
    { apiGroups: [placementApi.group], resources: ['clusterresourceplacementevictions'], verbs: ['delete'] },
    { apiGroups: [placementApi.group], resources: ['clusterresourceplacementevictions/status'], verbs: ['patch'] },
    { apiGroups: [placementApi.group], resources: ['clusterresourceplacementstatuses'], verbs: ['create', 'update'] },
    // Members report statuses of workloads and custom resources: see writable-kinds.ts.
    { apiGroups: ['*'], resources: ['*/status'], verbs: ['patch'] },
    { apiGroups: [inventoryApi.group], resources: ['clusterprofiles'], verbs: ['create', 'update', 'delete'] },
    { apiGroups: [inventoryApi.group], resources: ['clusterprofiles/status'], verbs: ['update', 'patch'] },
    ...ocmRules,
    { apiGroups: [''], resources: ['namespaces'], verbs: ['create', 'patch', 'delete'] },
    { apiGroups: [rbacGroup], resources: ['roles'], verbs: ['create', 'update'] },
    { apiGroups: [rbacGroup], resources: ['rolebindings'], verbs: ['create', 'update', 'delete'] },
    ...memberRules(hasNetworkingAgents),
  ];
}
