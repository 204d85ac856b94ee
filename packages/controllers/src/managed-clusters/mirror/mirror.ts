/** A mirror is a ManagedCluster that a MemberCluster owns. */
import { clusterApi, memberClusters, type ManagedCluster, type MemberCluster } from '@flotilla/api';
import { apiVersionOf, type KubeObject, type OwnerReference } from '@flotilla/kube';

/** The garbage collector deletes the mirror if no controller does. */
export function ownerOf({ metadata }: Readonly<MemberCluster>): OwnerReference {
  const { name = '', uid = '' } = metadata;
  return { apiVersion: apiVersionOf(memberClusters), kind: memberClusters.kind, name, uid, controller: true };
}

/** Undefined for a ManagedCluster of OCM, or of a user. */
export function mirroredOwnerOf({ metadata }: Readonly<KubeObject>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(
    ({ apiVersion, kind, controller }) =>
      controller === true && kind === memberClusters.kind && apiVersion.startsWith(`${clusterApi.group}/`),
  );
}

export function isMirror(cluster: Readonly<ManagedCluster>): boolean {
  return mirroredOwnerOf(cluster) !== undefined;
}

/** OCM's add-ons mark the clusters that they run on. */
const featurePrefix = 'feature.open-cluster-management.io/';

/** Labels of a mirror that its MemberCluster does not decide. */
export function isFeatureLabel(label: string): boolean {
  return label.startsWith(featurePrefix);
}
