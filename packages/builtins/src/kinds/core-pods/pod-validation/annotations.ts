/** Annotations that the server interprets. */
import { forbidden, invalid, quote, type FieldError, type ObjectMeta } from '@flotilla/kube';
import { visitContainers, type PodSpecFields } from '../pod-fields.ts';
import {
  annotationOf,
  appArmorPrefix,
  contradictedPart,
  seccompContainerPrefix,
  seccompPodAnnotation,
} from '../security-profiles.ts';
import { checkDescendingPath } from './checks.ts';

export const mirrorAnnotation = 'kubernetes.io/config.mirror';
const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

export function checkAnnotations(errors: FieldError[], path: string, metadata: ObjectMeta, spec: PodSpecFields): void {
  if (metadata.annotations === undefined) return;
  const mirror = annotationOf(metadata, mirrorAnnotation);
  if (mirror !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalid(`${path}[${mirrorAnnotation}]`, mirror, detail));
  }
  const cost = annotationOf(metadata, deletionCostAnnotation);
  if (cost !== undefined && !isInt32(cost)) {
    errors.push(invalid(`${path}[${deletionCostAnnotation}]`, cost, 'must be a 32bit integer'));
  }
  const pairs = Object.entries(metadata.annotations);
  for (const [key, value] of pairs) {
    if (key === seccompPodAnnotation || key.startsWith(seccompContainerPrefix)) {
      checkSeccomp(errors, `${path}.${key}`, value);
    }
  }
  const appArmor = pairs.filter(([key]) => key.startsWith(appArmorPrefix));
  if (appArmor.length === 0) return;
  const containers = new Set<string>();
  visitContainers(spec, '', ({ name }) => containers.add(name));
  for (const [key, value] of appArmor) checkAppArmor(errors, `${path}[${key}]`, key, value, containers);
}

function isInt32(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,9}|-0\d{0,9})$/.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}

function checkSeccomp(errors: FieldError[], path: string, profile: string): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return;
  if (profile.startsWith('localhost/')) checkDescendingPath(errors, path, profile.slice('localhost/'.length));
  else errors.push(invalid(path, profile, 'must be a valid seccomp profile'));
}

function checkAppArmor(
  errors: FieldError[],
  path: string,
  key: string,
  profile: string,
  containers: ReadonlySet<string>,
): void {
  const container = key.slice(appArmorPrefix.length);
  if (!containers.has(container)) errors.push(invalid(path, container, 'container not found'));
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return;
  errors.push(invalid(path, profile, `invalid AppArmor profile name: ${quote(profile)}`));
}

/** An annotation and the field that replaced it must agree. */
export function checkProfileAnnotations(
  errors: FieldError[],
  path: string,
  metadata: ObjectMeta,
  spec: PodSpecFields,
): void {
  if (metadata.annotations === undefined) return;
  const ofPod = spec.securityContext ?? {};
  const push = (at: string, noun: string, part: string | undefined): void => {
    if (part === undefined) return;
    const what = part === 'type' ? 'type' : 'profile';
    errors.push(forbidden(`${at}.${part}`, `${noun} ${what} in annotation and field must match`));
  };
  const podSeccomp = annotationOf(metadata, seccompPodAnnotation);
  if (ofPod.seccompProfile !== undefined && podSeccomp !== undefined) {
    const part = contradictedPart(ofPod.seccompProfile, podSeccomp, ['runtime/default', 'docker/default']);
    push(`${path}.securityContext.seccompProfile`, 'seccomp', part);
  }
  visitContainers(spec, path, ({ name, securityContext }, at) => {
    const seccomp = annotationOf(metadata, seccompContainerPrefix + name);
    if (securityContext?.seccompProfile === undefined || seccomp === undefined) return;
    const part = contradictedPart(securityContext.seccompProfile, seccomp, ['runtime/default', 'docker/default']);
    push(`${at}.securityContext.seccompProfile`, 'seccomp', part);
  });
  if (spec.os?.name === 'windows') return;
  visitContainers(spec, path, ({ name, securityContext }, at) => {
    const profile = securityContext?.appArmorProfile ?? ofPod.appArmorProfile;
    const annotation = annotationOf(metadata, appArmorPrefix + name);
    if (profile === undefined || annotation === undefined) return;
    const part = contradictedPart(profile, annotation, ['runtime/default']);
    push(`${at}.securityContext.appArmorProfile`, 'apparmor', part);
  });
}

/** Some annotations are as immutable as the fields that they stand for. */
export function checkAnnotationChanges(
  errors: FieldError[],
  path: string,
  metadata: ObjectMeta,
  old: ObjectMeta,
): void {
  for (const [key, before] of Object.entries(old.annotations ?? {})) {
    if (annotationOf(metadata, key) === before) continue;
    const noun = fixedAnnotation(key);
    if (noun !== undefined) errors.push(forbidden(`${path}[${key}]`, `may not remove or update ${noun}`));
  }
  for (const key of Object.keys(metadata.annotations ?? {})) {
    const noun = annotationOf(old, key) === undefined ? fixedAnnotation(key) : undefined;
    if (noun !== undefined) errors.push(forbidden(`${path}[${key}]`, `may not add ${noun}`));
  }
}

function fixedAnnotation(key: string): string | undefined {
  if (key.startsWith(appArmorPrefix)) return 'AppArmor annotations';
  return key === mirrorAnnotation ? 'mirror pod annotation' : undefined;
}
