import type { WorkResourceIdentifier } from '@flotilla/api';
import { onceForEqual, type JsonValue, type ObjectKey } from '@flotilla/kube';
import { decodeManifest, type Decoded } from './decode-manifest.ts';
import { identifierOf } from './identifier.ts';

/** A manifest, and how rounds name its object. */
export interface KnownManifest {
  readonly decoded: Decoded;
  readonly key: ObjectKey;
  /** The identifier of the manifest at the place where it was last seen. */
  identifier: WorkResourceIdentifier;
}

/** By manifest of a Work that members share. Their text need not be compared again. */
const ofShared = new WeakMap<object, KnownManifest>();

const onceForText = onceForEqual((manifest: JsonValue): KnownManifest => {
  const decoded = decodeManifest(manifest);
  const { namespace = '', name = '' } = decoded.header;
  return {
    decoded,
    key: namespace === '' ? { name } : { namespace, name },
    identifier: identifierOf(0, decoded.header),
  };
}, 1024);

/**
 * As `decodeManifest`, with the same result for equal manifests: a placement sends them to many members, whose agents may run in one
 * thread, and each of them applies them in several rounds. So whatever is computed from the object can be kept by it.
 */
export function knownManifest(manifest: JsonValue): KnownManifest {
  return (typeof manifest === 'object' && manifest !== null && ofShared.get(manifest)) || onceForText(manifest);
}

/** The identifier of a manifest at this place in its Work. Members that know its kind by the same name share it. */
export function identifierAt(
  known: KnownManifest,
  ordinal: number,
  resource: string | undefined,
): WorkResourceIdentifier {
  const { identifier, decoded } = known;
  if (identifier.ordinal === ordinal && identifier.resource === resource) return identifier;
  return (known.identifier = identifierOf(ordinal, { ...decoded.header, ...(resource !== undefined && { resource }) }));
}

/** Decodes manifests that later Works have, too, as the same objects. */
export function willBeShared(manifests: readonly JsonValue[]): void {
  for (const manifest of manifests) {
    if (typeof manifest === 'object' && manifest !== null) ofShared.set(manifest, knownManifest(manifest));
  }
}
