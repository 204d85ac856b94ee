/** The labels and the spec of a mirror, which follow its MemberCluster. */
import {
  clusterSetLabel,
  defaultClusterSet,
  propertyNames,
  type Condition,
  type ManagedClusterSpec,
  type ManagedClusterTaint,
  type MemberCluster,
  type Taint,
} from '@flotilla/api';
import { qualifiedNameProblems } from '@flotilla/kube';
import { isAvailabilityTaint, withAvailabilityTaint } from '../availability-taints.ts';
import { isFeatureLabel } from './mirror.ts';
import { propertyOf } from './properties.ts';

/** A cluster is in the default set unless its label names another. */
export function mirroredLabels(
  { metadata }: Readonly<MemberCluster>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const features = Object.entries(stored).filter(([label]) => isFeatureLabel(label));
  const labels = { ...Object.fromEntries(features), ...metadata.labels };
  return { ...labels, [clusterSetLabel]: labels[clusterSetLabel] || defaultClusterSet };
}

export interface SpecDetails {
  readonly isAccepted: boolean;
  readonly availability: Condition['status'];
}

export function mirroredSpec(
  member: Readonly<MemberCluster>,
  stored: Readonly<ManagedClusterSpec> | undefined,
  { isAccepted, availability }: SpecDetails,
): ManagedClusterSpec {
  const { managedClusterClientConfigs: _configs, taints: before = [], ...rest } = stored ?? {};
  const configs = clientConfigs(member);
  const marks = before.filter(isAvailabilityTaint);
  const followed = (member.spec.taints ?? []).map((taint) => withTime(mirroredTaint(taint), before));
  const taints = withAvailabilityTaint([...followed, ...marks], availability);
  return {
    ...rest,
    hubAcceptsClient: isAccepted,
    leaseDurationSeconds: member.spec.heartbeatPeriodSeconds,
    ...(configs.length > 0 && { managedClusterClientConfigs: configs }),
    ...(taints.length > 0 && { taints }),
  };
}

/** The key of a taint that OCM cannot express. It must keep placements away all the same. */
const otherTaint = 'flotilla.dev/other-taint';

/** NoSchedule keeps new placements away, and lets those stay that are there: OCM's NoSelectIfNew. */
function mirroredTaint({ key, value = '' }: Taint): ManagedClusterTaint {
  const isExpressible = qualifiedNameProblems(key).length === 0 && value.length <= 1024;
  if (!isExpressible) return { key: otherTaint, effect: 'NoSelectIfNew' };
  return { key, ...(value !== '' && { value }), effect: 'NoSelectIfNew' };
}

/** Admission sets the times of new taints, and keeps those of the others. */
function withTime(taint: ManagedClusterTaint, before: readonly ManagedClusterTaint[]): ManagedClusterTaint {
  const { key, value, effect } = taint;
  const same = before.find((one) => one.key === key && one.value === value && one.effect === effect);
  return same ?? taint;
}

/** OCM refuses addresses without TLS. */
function clientConfigs(
  member: Readonly<MemberCluster>,
): NonNullable<ManagedClusterSpec['managedClusterClientConfigs']> {
  const url = propertyOf(member, propertyNames.clusterEntryPoint);
  if (url === undefined || !url.startsWith('https://') || !URL.canParse(url)) return [];
  const caBundle = propertyOf(member, propertyNames.certificateAuthorityData);
  return [{ url, ...(caBundle !== undefined && isBase64(caBundle) && { caBundle }) }];
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
