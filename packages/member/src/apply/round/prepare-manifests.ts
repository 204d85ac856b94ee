/** Every manifest of a Work read, and its kind found on the member; or the reason why it cannot be tried. */
import type { Work, WorkResourceIdentifier } from '@flotilla/api';
import type { GroupVersionKind, Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import { decodeManifest, type Decoded } from '../manifest/decode-manifest.ts';
import { identifierOf, identityOf } from '../manifest/identifier.ts';
import type { Outcome } from '../manifest/outcome.ts';

/** A manifest that can be tried. */
export interface Prepared {
  readonly identifier: WorkResourceIdentifier;
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly object: KubeObject;
}

export interface Preparation {
  /** In the order of the Work. */
  readonly manifests: readonly (Prepared | Outcome)[];
  /** Kinds that the member does not have. */
  readonly unknownKinds: readonly GroupVersionKind[];
}

export type FindKind = (gvk: GroupVersionKind) => Promise<Kind | undefined>;

export function isPrepared(manifest: Prepared | Outcome): manifest is Prepared {
  return 'object' in manifest;
}

/** What is said of more would not fit into a Work's status. */
const maxManifests = 5_000;

export async function prepareManifests(work: Work, findKind: FindKind): Promise<Preparation> {
  const all = work.spec?.workload?.manifests ?? [];
  const decoded = all.slice(0, maxManifests).map((manifest) => decodeManifest(manifest));
  const kinds = await Promise.all(decoded.map(async ({ known }) => known.gvk && findKind(known.gvk)));
  const seen = new Set<string>();
  const manifests = decoded.map((one, ordinal) => prepared(one, kinds[ordinal], ordinal, seen));
  if (all.length > maxManifests) manifests.push(tooMany(all.length));
  const unknownKinds = decoded.flatMap((one, ordinal) => ('gvk' in one && !kinds[ordinal] ? [one.gvk] : []));
  return { manifests, unknownKinds };
}

function prepared(decoded: Decoded, kind: Kind | undefined, ordinal: number, seen: Set<string>): Prepared | Outcome {
  const identifier = identifierOf(ordinal, { ...decoded.known, ...(kind && { resource: kind.plural }) });
  if ('refusal' in decoded) return { identifier, result: decoded.refusal, problem: decoded.problem };
  if (kind === undefined) return { identifier, result: 'DecodingErred', problem: notInstalled(decoded.gvk) };
  const identity = identityOf(identifier) ?? '';
  if (seen.has(identity)) {
    const problem = 'the Work has a manifest of the same object before this one, and only the first counts';
    return { identifier, result: 'Duplicated', problem };
  }
  seen.add(identity);
  const { namespace = '', name = '' } = decoded.known;
  return { identifier, kind, key: namespace === '' ? { name } : { namespace, name }, object: decoded.object };
}

/** Stands for all that follow. */
function tooMany(count: number): Outcome {
  const problem = `the Work has ${count} manifests, and an agent applies the first ${maxManifests}; split it into several Works`;
  return { identifier: identifierOf(maxManifests, {}), result: 'DecodingErred', problem };
}

function notInstalled({ group, version, kind }: GroupVersionKind): string {
  const where = group === '' ? version : `${group}/${version}`;
  return `the member has no kind ${kind} in ${where}; the manifest is applied as soon as it is installed there`;
}
