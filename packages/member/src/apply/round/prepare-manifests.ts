/** Decodes the manifests of a Work and finds their kinds on the member. A manifest that cannot be applied gets its outcome here. */
import type { Work, WorkResourceIdentifier } from '@flotilla/api';
import type { GroupVersionKind, Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import { identifierOf, identityOf } from '../manifest/identifier.ts';
import { identifierAt, knownManifest, type KnownManifest } from '../manifest/known-manifests.ts';
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
  const known = all.slice(0, maxManifests).map((manifest) => knownManifest(manifest ?? null));
  const kinds = await Promise.all(known.map(async ({ decoded: { header } }) => header.gvk && findKind(header.gvk)));
  const seen = new Set<string>();
  const manifests = known.map((one, ordinal) => prepared(one, kinds[ordinal], ordinal, seen));
  if (all.length > maxManifests) manifests.push(tooMany(all.length));
  const unknownKinds = known.flatMap(({ decoded }, at) => ('gvk' in decoded && !kinds[at] ? [decoded.gvk] : []));
  return { manifests, unknownKinds };
}

function prepared(
  known: KnownManifest,
  kind: Kind | undefined,
  ordinal: number,
  seen: Set<string>,
): Prepared | Outcome {
  const { decoded, key } = known;
  const identifier = identifierAt(known, ordinal, kind?.plural);
  if ('refusal' in decoded) return { identifier, result: decoded.refusal, problem: decoded.problem };
  if (kind === undefined) return { identifier, result: 'DecodingErred', problem: notInstalled(decoded.gvk) };
  const identity = identityOf(identifier) ?? '';
  if (seen.has(identity)) {
    const problem = 'an earlier manifest of the Work has the same object; only the first one is applied';
    return { identifier, result: 'Duplicated', problem };
  }
  seen.add(identity);
  return { identifier, kind, key, object: decoded.object };
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
