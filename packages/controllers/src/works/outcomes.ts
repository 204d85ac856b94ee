/** Which resources failed, drifted or differ, from the statuses of Works. Members write these, so everything has a limit. */
import {
  conditionOf,
  envelopeNameLabel,
  envelopeNamespaceLabel,
  envelopeTypeLabel,
  manifestConditions,
  workConditions,
  type Condition,
  type DiffedPlacement,
  type DriftedPlacement,
  type EnvelopeReference,
  type FailedPlacement,
  type ManifestCondition,
  type PatchDetail,
  type PlacedResource,
  type Work,
} from '@flotilla/api';
import { compareBytes, jsonSize, type JsonValue } from '@flotilla/kube';
import { cutText, fits } from '../bounded-text.ts';
import { own } from './wanted-work.ts';
import { currentReport } from './work-report.ts';

/** Which lists the binding shows. */
export interface Shown {
  readonly failed: boolean;
  readonly diffed: boolean;
  readonly drifted: boolean;
}

export interface Outcomes {
  readonly failedPlacements?: FailedPlacement[];
  readonly driftedPlacements?: DriftedPlacement[];
  readonly diffedPlacements?: DiffedPlacement[];
}

/** KubeFleet's limit for each list; the others are ours. Sizes are bytes of JSON. */
const maxEntries = 100;
const maxListBytes = 256 * 1024;
const maxTextBytes = 1024;
const maxMessageBytes = 2048;
const maxDetails = 100;
const maxNameBytes = 512;

export function outcomesOf(works: readonly Readonly<Work>[], shown: Shown): Outcomes {
  if (!shown.failed && !shown.drifted && !shown.diffed) return {};
  const manifests = works.flatMap((work) =>
    (work.status?.manifestConditions ?? []).map((manifest) => ({ work, manifest })),
  );
  const failed = shown.failed ? listOf(manifests, failedEntry) : [];
  const drifted = shown.drifted ? listOf(manifests, driftedEntry) : [];
  const diffed = shown.diffed ? listOf(manifests, diffedEntry) : [];
  return {
    ...(failed.length > 0 && { failedPlacements: failed }),
    ...(drifted.length > 0 && { driftedPlacements: drifted }),
    ...(diffed.length > 0 && { diffedPlacements: diffed }),
  };
}

interface ReportedManifest {
  readonly work: Readonly<Work>;
  readonly manifest: ManifestCondition;
}

/** Makes the entry of a resource; without details if there is no room for them. */
type EntryMaker<T> = (resource: PlacedResource, hasRoom: boolean) => T;

/** The first entries in the order of their resources, so that the same reports give the same list. */
function listOf<T extends JsonValue>(
  manifests: readonly ReportedManifest[],
  makerOf: (reported: ReportedManifest) => EntryMaker<T> | undefined,
): T[] {
  const found = manifests.flatMap((reported) => {
    const make = makerOf(reported);
    return make === undefined ? [] : [{ make, resource: resourceOf(reported) }];
  });
  const first = found
    .map((entry) => ({ ...entry, text: sortText(entry.resource) }))
    .sort((a, b) => compareBytes(a.text, b.text))
    .slice(0, maxEntries);
  let room = maxListBytes;
  return first.map(({ make, resource }) => {
    const entry = make(resource, room > 0);
    if (room > 0) room -= jsonSize(entry);
    return entry;
  });
}

/** The Work's own condition must be current; those of manifests have the generation of an object on the member. */
function failedEntry({ work, manifest }: ReportedManifest): EntryMaker<FailedPlacement> | undefined {
  const types = [workConditions.applied, workConditions.available];
  if (!types.some((type) => currentReport(work, type)?.status === 'False')) return undefined;
  const found = [manifestConditions.applied, manifestConditions.available]
    .map((type) => conditionOf(manifest.conditions, type))
    .find((condition) => condition?.status === 'False');
  return found && ((resource) => ({ ...resource, condition: boundedCondition(found) }));
}

function driftedEntry({
  manifest: { driftDetails: details },
}: ReportedManifest): EntryMaker<DriftedPlacement> | undefined {
  if (details === undefined) return undefined;
  const { observationTime, observedInMemberClusterGeneration, firstDriftedObservedTime, observedDrifts = [] } = details;
  return (resource, hasRoom) => ({
    ...resource,
    observationTime,
    targetClusterObservedGeneration: observedInMemberClusterGeneration,
    firstDriftedObservedTime,
    ...(hasRoom && observedDrifts.length > 0 && { observedDrifts: boundedDetails(observedDrifts) }),
  });
}

function diffedEntry({
  manifest: { diffDetails: details },
}: ReportedManifest): EntryMaker<DiffedPlacement> | undefined {
  if (details === undefined) return undefined;
  const { observationTime, observedInMemberClusterGeneration: generation } = details;
  const { firstDiffedObservedTime, observedDiffs = [] } = details;
  return (resource, hasRoom) => ({
    ...resource,
    observationTime,
    ...(generation !== undefined && { targetClusterObservedGeneration: generation }),
    firstDiffedObservedTime,
    ...(hasRoom && observedDiffs.length > 0 && { observedDiffs: boundedDetails(observedDiffs) }),
  });
}

function resourceOf({ work, manifest }: ReportedManifest): PlacedResource {
  const { group = '', version = '', kind = '', namespace = '', name = '' } = manifest.identifier;
  const envelope = envelopeOfWork(work);
  return {
    ...(group !== '' && { group: cutText(group, maxNameBytes) }),
    version: cutText(version, maxNameBytes),
    kind: cutText(kind, maxNameBytes),
    ...(namespace !== '' && { namespace: cutText(namespace, maxNameBytes) }),
    name: cutText(name, maxNameBytes),
    ...(envelope && { envelope }),
  };
}

function envelopeOfWork({ metadata: { labels = {} } }: Readonly<Work>): EnvelopeReference | undefined {
  const type = own(labels, envelopeTypeLabel);
  if (type === undefined) return undefined;
  const namespace = own(labels, envelopeNamespaceLabel) ?? '';
  return {
    name: own(labels, envelopeNameLabel) ?? '',
    ...(namespace !== '' && { namespace }),
    type: type as EnvelopeReference['type'],
  };
}

function boundedCondition(condition: Condition): Condition {
  const { message } = condition;
  return fits(message, maxMessageBytes) ? condition : { ...condition, message: cutText(message, maxMessageBytes) };
}

function boundedDetails(details: readonly PatchDetail[]): PatchDetail[] {
  return details.slice(0, maxDetails).map(({ path, valueInMember, valueInHub }) => ({
    path: cutText(path, maxTextBytes),
    ...(valueInMember !== undefined && { valueInMember: cutText(valueInMember, maxTextBytes) }),
    ...(valueInHub !== undefined && { valueInHub: cutText(valueInHub, maxTextBytes) }),
  }));
}

function sortText({ group = '', version, kind, namespace = '', name, envelope }: PlacedResource): string {
  const resource = `${group}/${version}/${kind}/${namespace}/${name}`;
  if (envelope === undefined) return resource;
  return `${resource}/${envelope.type ?? ''}/${envelope.namespace ?? ''}/${envelope.name}`;
}
