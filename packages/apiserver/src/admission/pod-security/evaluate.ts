import type { Check, CheckVersion, Find, PodLike, Violation } from './check.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, hostProbes, windowsHostProcess } from './host-checks.ts';
import { alwaysMaskedProc, maskedProc, restrictedVolumes, sysctls } from './kernel-checks.ts';
import {
  allowPrivilegeEscalation,
  defaultCapabilities,
  noCapabilities,
  privileged,
  runAsNonRoot,
  runAsUser,
} from './privilege-checks.ts';
import type { Level, Standard } from './policy.ts';
import { appArmorProfile, knownSeccompProfile, seLinuxOptions, someSeccompProfile } from './profile-checks.ts';

/** In the order of the error message. */
const baseline: readonly Check[] = [
  appArmorProfile,
  defaultCapabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  maskedProc,
  seLinuxOptions,
  knownSeccompProfile,
  sysctls,
  windowsHostProcess,
];

const restricted: readonly Check[] = [
  allowPrivilegeEscalation,
  noCapabilities,
  alwaysMaskedProc,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  someSeccompProfile,
];

/** What the standard forbids in a pod. */
export function violationsOf(standard: Standard, pod: PodLike): Violation[] {
  return findersOf(standard).flatMap((find) => find(pod) ?? []);
}

/** No rule is newer than this minor version, so all later ones are equal. */
const newestRule = Math.max(
  ...[...baseline, ...restricted].flatMap(({ versions }) => versions.map(({ since }) => since)),
);

const findersByStandard = new Map<string, readonly Find[]>();

function findersOf({ level, minor }: Standard): readonly Find[] {
  if (level === 'privileged') return [];
  const version = Math.min(minor, newestRule);
  const key = `${level}:${version}`;
  const finders = findersByStandard.get(key) ?? chooseFinders(level, version);
  findersByStandard.set(key, finders);
  return finders;
}

function chooseFinders(level: Exclude<Level, 'privileged'>, minor: number): Find[] {
  const versionOf = ({ versions }: Check): CheckVersion | undefined => versions.findLast(({ since }) => since <= minor);
  const stricter = level === 'restricted' ? restricted : [];
  const replaced = new Set(stricter.map((check) => versionOf(check)?.replaces));
  const checks = [...baseline.filter(({ id }) => !replaced.has(id)), ...stricter];
  return checks.flatMap((check) => versionOf(check)?.find ?? []);
}

export function formatReasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}

export function formatDetails(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}
