import type { WorkResourceIdentifier } from '@flotilla/api';
import { keyText, pathSegmentProblems, type GroupVersionKind, type Kind, type ObjectKey } from '@flotilla/kube';

/** What is known of a manifest, as far as it could be read. */
export interface KnownOfManifest {
  readonly gvk?: GroupVersionKind;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Empty fields are left out, in the order in which KubeFleet writes them. */
export function identifierOf(ordinal: number, known: KnownOfManifest = {}): WorkResourceIdentifier {
  const { group = '', version = '', kind = '' } = known.gvk ?? {};
  const { resource = '', namespace = '', name = '' } = known;
  return {
    ordinal,
    ...(group !== '' && { group }),
    ...(version !== '' && { version }),
    ...(kind !== '' && { kind }),
    ...(resource !== '' && { resource }),
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
  };
}

/**
 * Names the object that a manifest is about, wherever it stands in the list. Undefined when it cannot be named: then a
 * manifest is known by its place alone.
 */
export function identityOf(identifier: WorkResourceIdentifier): string | undefined {
  const { group = '', version = '', kind = '', namespace = '', name = '' } = identifier;
  return group === '' && version === '' ? undefined : [group, version, kind, namespace, name].join('\n');
}

/** The object on the member that a status once named. Undefined when the status does not say where it is served. */
export function placeOf(
  identifier: WorkResourceIdentifier,
): { readonly kind: Kind; readonly key: ObjectKey } | undefined {
  const { group = '', version = '', kind = '', resource = '', namespace = '', name = '' } = identifier;
  if (version === '' || resource === '' || name === '') return undefined;
  // A path made of these must lead to one object and nowhere else.
  if ([group, version, resource, namespace, name].some((part) => pathSegmentProblems(part).length > 0))
    return undefined;
  const namespaced = namespace !== '';
  return {
    kind: { group, version, kind, plural: resource, namespaced },
    key: namespaced ? { namespace, name } : { name },
  };
}

/** `Deployment default/web`: how sentences and logs name an object. */
export function nameOf({ kind }: Pick<GroupVersionKind, 'kind'>, key: ObjectKey): string {
  return `${kind} ${keyText(key)}`;
}
