import { apiErrors } from '@flotilla/kube';
import { clausesOf, type Clause } from './accept-clauses.ts';

/**
 * The encoding of a response, and its transformation: the object itself, a Table for people, or only the metadata. Clients name
 * both in `Accept`.
 */
export interface Representation {
  readonly encoding: Encoding;
  readonly as: Transformation;
  /** The version of meta.k8s.io of the transformation. */
  readonly metaVersion: 'v1' | 'v1beta1';
  /** Indented for people. */
  readonly pretty: boolean;
}

export type Encoding = 'json' | 'yaml' | 'protobuf';
export type Transformation = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export const mediaTypes: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

export const encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** What a path can send. Lists and watches share a path. */
export interface Offer {
  readonly at: 'object' | 'collection' | 'watch';
  readonly transformations: ReadonlySet<Transformation>;
  readonly hasProtobuf: boolean;
  /** Custom resources: only their metadata has a protobuf encoding, and no router checks `Accept` first. */
  readonly isUnstructured?: boolean;
  /** The valid value of `sv=`. */
  readonly serverVersion?: string;
}

/** Of resources without Tables. */
export const metadataTransformations: ReadonlySet<Transformation> = new Set([
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
]);

/**
 * Of most resources. Negotiation does not know whether the response is a list or one object, so that those that do not fit are
 * refused later.
 */
export const transformations: ReadonlySet<Transformation> = new Set(['Table', ...metadataTransformations]);

export const plainJson: Representation = { encoding: 'json', as: 'object', metaVersion: 'v1', pretty: false };

/** The first clause of `Accept`, by quality, that the offer can serve. Throws 406 if there is none. */
export function negotiate(accept: string | undefined, offer: Offer): Representation {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return plainJson;
  const clauses = clausesOf(accept);
  const isRouted = offer.isUnstructured !== true;
  if (isRouted && !accept.split(',').some((clause) => isAtPath(clause, offer))) {
    throw apiErrors.noRepresentation(pathTypes(offer));
  }
  const representation = firstServed(clauses, offer);
  if (!representation) throw apiErrors.notAcceptable(objectTypes(offer));
  if (offer.at === 'watch' && representation.encoding === 'yaml') throw apiErrors.notAcceptable(streamTypes(offer));
  return representation;
}

/**
 * The representation of a Status, which is never transformed. Undefined if the client accepts none; it gets the Status in some
 * encoding nevertheless.
 */
export function negotiateStatus(accept: string | undefined): Representation | undefined {
  if (accept === undefined || accept === '' || accept === 'application/json') return plainJson;
  return firstServed(clausesOf(accept), plainOffer);
}

/** An object without transformations, in every encoding. */
export const plainOffer: Offer = { at: 'object', transformations: new Set(), hasProtobuf: true };

function firstServed(clauses: readonly Clause[], offer: Offer): Representation | undefined {
  for (const clause of clauses) {
    const representation = serve(clause, offer);
    if (representation) return representation;
  }
  return undefined;
}

/** Kubernetes' router checks media types first, without parameters and without `application/*`. */
function isAtPath(clause: string, offer: Offer): boolean {
  const [head = ''] = clause.split(';', 1);
  const mediaType = head.trim();
  return mediaType === '*/*' || objectTypes(offer).includes(mediaType);
}

function pathTypes(offer: Offer): readonly string[] {
  return offer.at === 'object' ? objectTypes(offer) : [...objectTypes(offer), ...streamTypes(offer)];
}

function objectTypes({ hasProtobuf }: Offer): readonly string[] {
  return hasProtobuf ? Object.values(mediaTypes) : [mediaTypes.json, mediaTypes.yaml];
}

function streamTypes({ hasProtobuf }: Offer): readonly string[] {
  const types = hasProtobuf ? [mediaTypes.json, mediaTypes.protobuf] : [mediaTypes.json];
  return types.map((type) => `${type};stream=watch`);
}

function serve(clause: Clause, offer: Offer): Representation | undefined {
  for (const encoding of encodings) {
    const representation = matches(clause, encoding, offer) ? represented(clause, encoding, offer) : undefined;
    if (representation) return representation;
  }
  return undefined;
}

function represented({ parameters }: Clause, encoding: Encoding, offer: Offer): Representation | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || encoding === 'yaml')) return undefined;
  const serverVersion = parameters.get('sv');
  if (serverVersion !== undefined && serverVersion !== offer.serverVersion) return undefined;

  const pretty = parameters.get('pretty') === '1';
  const [as, group, version] = [parameters.get('as'), parameters.get('g'), parameters.get('v')];
  if (as === undefined && group === undefined && version === undefined) {
    if (encoding === 'protobuf' && offer.isUnstructured === true) return undefined;
    return { encoding, as: 'object', metaVersion: 'v1', pretty };
  }
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  const transformation = as as Transformation;
  if (!offer.transformations.has(transformation)) return undefined;
  // Tables have no protobuf encoding.
  if (transformation === 'Table' && encoding === 'protobuf') return undefined;
  return { encoding, as: transformation, metaVersion: version, pretty };
}

function matches({ mediaType }: Clause, encoding: Encoding, offer: Offer): boolean {
  if (encoding === 'protobuf' && !offer.hasProtobuf) return false;
  return mediaType === mediaTypes[encoding] || mediaType === '*/*' || mediaType === 'application/*';
}
