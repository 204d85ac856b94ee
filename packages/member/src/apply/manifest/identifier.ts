import type { WorkResourceIdentifier } from '@flotilla/api';
import { keyText, pathSegmentProblems, type GroupVersionKind, type Kind, type ObjectKey } from '@flotilla/kube';

/** A kind and a key: enough to request an object. */
export interface ObjectRef {
  readonly kind: Kind;
  readonly key: ObjectKey;
}

/** The parts of an identifier that could be decoded. */
export interface ManifestHeader {
  readonly gvk?: GroupVersionKind;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Fields are in KubeFleet's order; empty ones are omitted. */
export function identifierOf(ordinal: number, header: ManifestHeader = {}): WorkResourceIdentifier {
  const { group = '', version = '', kind = '' } = header.gvk ?? {};
  const { resource = '', namespace = '', name = '' } = header;
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

/** Identifies the object of a manifest independently of its ordinal. Undefined if the manifest has no group and version. */
export function identityOf(identifier: WorkResourceIdentifier): string | undefined {
  const { group = '', version = '', kind = '', namespace = '', name = '' } = identifier;
  return group === '' && version === '' ? undefined : [group, version, kind, namespace, name].join('\n');
}

/** The object that an entry of a Work's status names. Undefined if the entry is incomplete or is not a safe path. */
export function objectRefOf(identifier: WorkResourceIdentifier): ObjectRef | undefined {
  const { group = '', version = '', kind = '', resource = '', namespace = '', name = '' } = identifier;
  if (version === '' || resource === '' || name === '') return undefined;
  // Users can write statuses, so each part must be exactly one path segment.
  if ([group, version, resource, namespace, name].some((part) => pathSegmentProblems(part).length > 0))
    return undefined;
  const namespaced = namespace !== '';
  return {
    kind: { group, version, kind, plural: resource, namespaced },
    key: namespaced ? { namespace, name } : { name },
  };
}

/** `Deployment default/web`: how messages name an object. */
export function nameOf({ kind }: Pick<GroupVersionKind, 'kind'>, key: ObjectKey): string {
  return `${kind} ${keyText(key)}`;
}
