import { apiErrors } from '@flotilla/kube';

/**
 * Which form an answer takes. Clients name forms in `Accept`; besides the encoding a form can be a transformation of the
 * object: a Table for people, or its metadata alone.
 */
export interface Representation {
  readonly encoding: Encoding;
  readonly as: Transformation;
  /** Version of meta.k8s.io that a transformation was asked in. */
  readonly metaVersion: 'v1' | 'v1beta1';
  /** The client named `stream=watch`, so the answer's content type must repeat it. */
  readonly namesStream: boolean;
}

export type Encoding = 'json' | 'yaml' | 'protobuf';
export type Transformation = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

export const mediaTypes: Readonly<Record<Encoding, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

const encodings: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** What a resource can be sent as. */
export interface Offer {
  readonly transformations: ReadonlySet<Transformation>;
  readonly hasProtobuf: boolean;
  readonly isWatch: boolean;
}

const plainJson: Representation = { encoding: 'json', as: 'object', metaVersion: 'v1', namesStream: false };

/** The first clause of `Accept`, by quality, that the offer can serve; 406 when there is none. */
export function negotiate(accept: string | undefined, offer: Offer): Representation {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return plainJson;
  const clauses = clausesOf(accept);
  if (!clauses.some((clause) => isAtPath(clause, offer))) throw apiErrors.noRepresentation(pathTypes(offer));
  for (const clause of clauses) {
    const representation = serve(clause, offer);
    if (representation) return representation;
  }
  throw apiErrors.notAcceptable(acceptedTypes(offer));
}

/** Kubernetes' router looks first, and it knows no `application/*`. */
function isAtPath({ mediaType }: Clause, { hasProtobuf }: Offer): boolean {
  if (mediaType === mediaTypes.protobuf) return hasProtobuf;
  return mediaType === mediaTypes.json || mediaType === mediaTypes.yaml || mediaType === '*/*';
}

/** Collections are listed and watched at one path. */
function pathTypes({ transformations, hasProtobuf, isWatch }: Offer): readonly string[] {
  return acceptedTypes({ hasProtobuf, isWatch: isWatch || transformations.has('PartialObjectMetadataList') });
}

function serve(clause: Clause, offer: Offer): Representation | undefined {
  const encoding = encodings.find((candidate) => matches(clause, candidate, offer));
  if (encoding === undefined) return undefined;
  const stream = clause.parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || encoding === 'yaml')) return undefined;
  if (clause.parameters.has('sv')) return undefined;

  const as = clause.parameters.get('as');
  const base = { encoding, metaVersion: 'v1', namesStream: stream !== undefined } as const;
  if (as === undefined) return { ...base, as: 'object' };
  const version = clause.parameters.get('v');
  const isMeta = clause.parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  if (!isMeta || !offer.transformations.has(as as Transformation)) return undefined;
  return { ...base, as: as as Transformation, metaVersion: version };
}

function matches(clause: Clause, encoding: Encoding, offer: Offer): boolean {
  if (encoding === 'protobuf' && !offer.hasProtobuf) return false;
  if (encoding === 'yaml' && offer.isWatch) return false;
  return (
    clause.mediaType === mediaTypes[encoding] || clause.mediaType === '*/*' || clause.mediaType === 'application/*'
  );
}

export function acceptedTypes({ hasProtobuf, isWatch }: Pick<Offer, 'hasProtobuf' | 'isWatch'>): readonly string[] {
  const objects = hasProtobuf
    ? [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf]
    : [mediaTypes.json, mediaTypes.yaml];
  if (!isWatch) return objects;
  const streams = hasProtobuf ? [mediaTypes.json, mediaTypes.protobuf] : [mediaTypes.json];
  return [...objects, ...streams.map((type) => `${type};stream=watch`)];
}

export interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Clients repeat a handful of headers for ever; the bound keeps a hostile one from filling memory. */
const parsed = new Map<string, readonly Clause[]>();
const maxParsed = 256;

export function clausesOf(accept: string): readonly Clause[] {
  const known = parsed.get(accept);
  if (known) return known;
  const clauses = parseAccept(accept);
  if (parsed.size >= maxParsed) parsed.clear();
  if (accept.length < 1024) parsed.set(accept, clauses);
  return clauses;
}

function parseAccept(accept: string): readonly Clause[] {
  const weighed = accept.split(',').map((text, index) => {
    const [mediaType = '', ...rest] = text.split(';').map((part) => part.trim());
    const parameters = new Map(rest.map(parameterOf));
    const quality = Number(parameters.get('q') ?? '1');
    return {
      mediaType,
      parameters,
      index,
      quality: Number.isNaN(quality) ? 0 : quality,
      wildcards: wildcards(mediaType),
    };
  });
  return weighed
    .filter(({ mediaType }) => mediaType !== '')
    .sort((a, b) => b.quality - a.quality || a.wildcards - b.wildcards || a.index - b.index);
}

function wildcards(mediaType: string): number {
  return mediaType === '*/*' ? 2 : mediaType.endsWith('/*') ? 1 : 0;
}

function parameterOf(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=', 2);
  return [name.trim(), value.trim().replaceAll('"', '')];
}
