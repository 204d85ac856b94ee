/** Decodes the manifests of a Work and finds their kinds on the member. A manifest that cannot be applied gets its outcome here. */
import type { Work, WorkResourceIdentifier } from '@flotilla/api';
import type { GroupVersionKind, Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import type { Decoded } from '../manifest/decode-manifest.ts';
import { identifierOf, identityOf } from '../manifest/identifier.ts';
import { knownManifest } from '../manifest/known-manifests.ts';
import type { Outcome } from '../manifest/outcome.ts';

/** A manifest that can be applied. */
export interface Prepared {
  readonly identifier: WorkResourceIdentifier;
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly object: KubeObject;
}

export interface Preparation {
  /** In the order of the Work. */
  readonly manifests: readonly (Prepared | Outcome)[];
  /** Kinds that the member does not serve. */
  readonly unknownKinds: readonly GroupVersionKind[];
}

export type FindKind = (gvk: GroupVersionKind) => Promise<Kind | undefined>;

export function isPrepared(manifest: Prepared | Outcome): manifest is Prepared {
  return 'object' in manifest;
}

/** The entries of more manifests would not fit into a Work's status. */
const maxManifests = 5_000;

export async function prepareManifests(work: Work, findKind: FindKind): Promise<Preparation> {
  const all = work.spec?.workload?.manifests ?? [];
  const decoded = all.slice(0, maxManifests).map((manifest) => knownManifest(manifest ?? null));
  const kinds = await Promise.all(decoded.map(async ({ header }) => header.gvk && findKind(header.gvk)));
  const seen = new Set<string>();
  const manifests = decoded.map((one, ordinal) => prepared(one, kinds[ordinal], ordinal, seen));
  if (all.length > maxManifests) manifests.push(tooMany(all.length));
  const unknownKinds = decoded.flatMap((one, ordinal) => ('gvk' in one && !kinds[ordinal] ? [one.gvk] : []));
  return { manifests, unknownKinds };
}

function prepared(decoded: Decoded, kind: Kind | undefined, ordinal: number, seen: Set<string>): Prepared | Outcome {
  const identifier = identifierOf(ordinal, { ...decoded.header, ...(kind && { resource: kind.plural }) });
  if ('refusal' in decoded) return { identifier, result: decoded.refusal, problem: decoded.problem };
  if (kind === undefined) return { identifier, result: 'DecodingErred', problem: notInstalled(decoded.gvk) };
  const identity = identityOf(identifier) ?? '';
  if (seen.has(identity)) {
    const problem = 'an earlier manifest of the Work has the same object; only the first one is applied';
    return { identifier, result: 'Duplicated', problem };
  }
  seen.add(identity);
  const { namespace = '', name = '' } = decoded.header;
  return { identifier, kind, key: namespace === '' ? { name } : { namespace, name }, object: decoded.object };
}

/** One outcome for all manifests above the limit. */
function tooMany(count: number): Outcome {
  const problem = `the Work has ${count} manifests, but the agent applies only the first ${maxManifests}; split it into several Works`;
  return { identifier: identifierOf(maxManifests, {}), result: 'DecodingErred', problem };
}

function notInstalled({ group, version, kind }: GroupVersionKind): string {
  const where = group === '' ? version : `${group}/${version}`;
  return `the member does not serve ${kind} in ${where}; the agent applies the manifest when the kind is installed`;
}
