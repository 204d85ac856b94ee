/** The annotations for security profiles that fields have replaced. */
import type { ObjectMeta } from '@flotilla/kube';
import type { ProfileFields } from './pod-fields.ts';

export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const localhostPrefix = 'localhost/';

export function annotationOf({ annotations }: ObjectMeta, key: string): string | undefined {
  return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** The field for an AppArmor annotation. Undefined if the annotation is invalid. */
export function appArmorField(annotation: string): ProfileFields | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = annotation.startsWith(localhostPrefix) ? annotation.slice(localhostPrefix.length) : '';
  return name === '' ? undefined : { type: 'Localhost', localhostProfile: name };
}

/** The part of a profile that an annotation contradicts, if any. */
export function contradictedPart(
  { type, localhostProfile }: ProfileFields,
  annotation: string,
  runtimeDefaults: readonly string[],
): 'type' | 'localhostProfile' | undefined {
  if (type === 'Unconfined') return annotation === 'unconfined' ? undefined : 'type';
  if (type === 'RuntimeDefault') return runtimeDefaults.includes(annotation) ? undefined : 'type';
  if (type !== 'Localhost') return undefined;
  if (!annotation.startsWith(localhostPrefix)) return 'type';
  return annotation.slice(localhostPrefix.length) === localhostProfile ? undefined : 'localhostProfile';
}
